#!/usr/bin/env bash
# Tests of the workflows, for `make test-workflow`: Snakemake on this machine, Snakemake on
# a Slurm of one node that is started here, and the Slurm scripts, each with a job that is
# killed in the middle. The results must be those of one run, byte for byte. Needs
# Debian's snakemake, slurm-wlm and munge. Arguments select some of the tests:
#
#   scripts/workflow/test/run.sh [local] [resumed] [fasta] [slurm] [array]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=slurm.sh
. "$here/slurm.sh"

missing=()
for tool in snakemake sbatch slurmctld slurmd munged; do
	type -P "$tool" >/dev/null || missing+=("$tool")
done
if ((${#missing[@]})); then
	echo "make test-workflow needs ${missing[*]}: apt-get install snakemake slurm-wlm munge" >&2
	exit 1
fi

dir=$(mktemp -d)
slurm_pids=()
ended() {
	local status=$?
	stop_slurm
	if ((status)); then
		echo "FAILED; the logs are in $dir" >&2
	else
		rm -rf "$dir"
	fi
}
trap ended EXIT
cd "$dir"
export XDG_CACHE_HOME=$dir/cache

export PROGRAM=$dir/wfagpu
(cd "$here/../../.." && CGO_ENABLED=0 "${GO:-go}" build -o "$PROGRAM" ./cmd/wfagpu)
shards=6
flags=(-b 20K) # small batches, so that results come in small portions
"$PROGRAM" generate -n 1200 -l 10000 -e 0.1 --model bursts -o pairs.seq
"$PROGRAM" generate -n 500 -l 150 -q query.fa -t target.fa
"$PROGRAM" align --quiet --device cpu "${flags[@]}" -o whole.tsv pairs.seq
"$PROGRAM" align --quiet --device cpu -o whole.fa.tsv -q query.fa -t target.fa
echo "one run: $(wc -l <whole.tsv) lines"

# snake NAME ARGUMENTS… runs the workflow in a directory of this name.
snake() {
	local name=$1
	shift
	mkdir -p "$name"
	(cd "$name" && snakemake --snakefile "$here/../snakemake/Snakefile" --nocolor "$@") &>>"$name.log"
}

# kill_in NAME HOW sets up the killing of the third part in a run of this name.
kill_in() {
	export KILL_SHARD=3/$shards KILL_BY=$2 KILL_MARK=$dir/$1.killed
}

# expect_killed NAME checks that the part was killed in the middle.
expect_killed() {
	local lines all
	lines=$(<"$1.killed/lines")
	all=$("$PROGRAM" align --quiet --device cpu --shard "$KILL_SHARD" pairs.seq | wc -l)
	echo "$1: part $KILL_SHARD was killed after $lines of $all lines"
	((lines > 0 && lines < all))
}

config=(pairs="$dir/pairs.seq" "shards=$shards" "flags=${flags[*]}" threads=1 mem_mb=100 "wfagpu=$here/killed-once")

test_local() {
	echo "== Snakemake, a job killed and tried again"
	kill_in local kill
	snake local --cores 2 --config "${config[@]}"
	expect_killed local
	cmp whole.tsv local/result.tsv
	grep -c 'Trying to restart job' local.log >restarts
	echo "jobs tried again: $(<restarts)"
}

test_resumed() {
	local kept aligned
	echo "== Snakemake, a job killed without retries, and the run resumed"
	kill_in resumed kill
	if snake resumed --cores 2 --config "${config[@]}" retries=0; then
		echo "the run did not fail" >&2
		return 1
	fi
	expect_killed resumed
	kept=$(find resumed/result.tsv.shards -name '*-of-*' | wc -l)
	snake resumed --cores 2 --config "${config[@]}" retries=0
	cmp whole.tsv resumed/result.tsv
	aligned=$(grep -c '^rule align:' resumed.log)
	echo "$kept parts were kept; $aligned jobs for $shards parts"
	((kept > 0 && aligned < 2 * shards))
}

test_fasta() {
	echo "== Snakemake, two FASTA files, compressed output"
	snake fasta --cores 2 --config query="$dir/query.fa" target="$dir/target.fa" shards=11 output=result.tsv.gz \
		threads=1 wfagpu="$PROGRAM"
	gzip -dc fasta/result.tsv.gz | cmp whole.fa.tsv -
}

test_slurm() {
	echo "== Snakemake on Slurm, a job cancelled and tried again"
	need_slurm
	kill_in slurm scancel
	snake slurm --profile "$here/../snakemake/slurm" --latency-wait 5 --config "${config[@]}"
	expect_killed slurm
	cmp whole.tsv slurm/result.tsv
	grep -c 'Trying to restart job' slurm.log >restarts
	echo "jobs tried again: $(<restarts)"
}

# submit_array submits and waits until no job is left.
submit_array() {
	WFAGPU=$here/killed-once "$here/../slurm/submit.sh" array.tsv "$shards" --cpus-per-task=1 -- \
		--quiet --device cpu "${flags[@]}" pairs.seq
	slurm_waits "the end of the jobs" queue_is_empty
}

queue_is_empty() { [[ -z $(squeue -h) ]]; }

test_array() {
	echo "== The Slurm scripts, a task cancelled, and the job submitted again"
	need_slurm
	kill_in array scancel
	submit_array
	expect_killed array
	if [[ -e array.tsv ]]; then
		echo "the parts were gathered without part $KILL_SHARD" >&2
		return 1
	fi
	(cd array.tsv.shards && echo "parts: $(echo *-of-*)")
	submit_array
	cmp whole.tsv array.tsv
}

need_slurm() {
	if ((${#slurm_pids[@]} == 0)); then start_slurm "$dir/daemons"; fi
}

if (($# == 0)); then set -- local resumed fasta slurm array; fi
for name; do
	"test_$name"
	echo "$name: the result is that of one run"
done
