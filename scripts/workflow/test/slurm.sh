# shellcheck shell=bash
# Functions that start and end a Slurm of one node in a directory: munge for
# authentication, slurmctld, slurmd; all of them on loopback.

# start_slurm DIR starts it and sets SLURM_CONF.
start_slurm() {
	local dir=$1 host port
	host=$(hostname -s)
	port=$((20000 + $$ % 20000))
	mkdir -p "$dir/state" "$dir/spool"
	chmod 755 "$dir"
	head -c 1024 /dev/urandom >"$dir/munge.key"
	chmod 600 "$dir/munge.key"
	cat >"$dir/slurm.conf" <<-CONF
		ClusterName=workflow
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$port
		SlurmdPort=$((port + 1))
		CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
		SlurmUser=$(id -un)
		SlurmdUser=$(id -un)
		AuthType=auth/munge
		CredType=cred/munge
		AuthInfo=socket=$dir/munge.socket
		StateSaveLocation=$dir/state
		SlurmdSpoolDir=$dir/spool
		SlurmctldPidFile=$dir/slurmctld.pid
		SlurmdPidFile=$dir/slurmd.pid
		SlurmctldLogFile=$dir/slurmctld.log
		SlurmdLogFile=$dir/slurmd.log
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SwitchType=switch/none
		MpiDefault=none
		ReturnToService=2
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		SchedulerParameters=batch_sched_delay=0
		NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(free -m | awk '/^Mem/ {print $2}') State=UNKNOWN
		PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	CONF
	export SLURM_CONF=$dir/slurm.conf
	slurm_pids=()
	munged --foreground --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" \
		--pid-file="$dir/munged.pid" --log-file="$dir/munged.log" --seed-file="$dir/munged.seed" &>"$dir/munged.out" &
	slurm_pids+=($!)
	slurm_waits "munged" test -S "$dir/munge.socket"
	slurmctld -D -f "$SLURM_CONF" &>"$dir/slurmctld.out" &
	slurm_pids+=($!)
	slurmd -D -f "$SLURM_CONF" -N "$host" &>"$dir/slurmd.out" &
	slurm_pids+=($!)
	slurm_waits "the node" slurm_node_is_idle
}

slurm_node_is_idle() { [[ $(sinfo -h -o %T 2>/dev/null) == idle ]]; }

# slurm_waits WHAT COMMAND… waits up to ten minutes until the command succeeds.
slurm_waits() {
	local what=$1 begun=$SECONDS
	shift
	until "$@"; do
		if ((SECONDS - begun > 600)); then
			echo "Slurm: waited ten minutes for $what" >&2
			return 1
		fi
		sleep 0.1
	done
}

# stop_slurm ends what start_slurm has started.
stop_slurm() {
	local i
	for ((i = ${#slurm_pids[@]} - 1; i >= 0; i--)); do
		kill "${slurm_pids[i]}" 2>/dev/null || true
		wait "${slurm_pids[i]}" 2>/dev/null || true
	done
	slurm_pids=()
}
