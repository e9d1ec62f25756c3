#!/usr/bin/env bash
# Measures real reads, huge pairs and whole commands on a machine with one or more
# GPUs, and prints every value with its goal. The machine needs neither Go nor a
# network: `make gpu-binaries` builds the programs into build/, and the checkout is
# copied with build/.
#
#   WFAGPU_DATA=DIR scripts/real-reads.sh [PART...]
#
# DIR has real sets as .seq.gz files. The parts, all of them by default:
#
#   simulated          rates in memory, nine simulated sets
#   sets               rates in memory, real sets beside the simulated unit, in score²
#   sets-approx        the same in the approximate mode
#   commands           repeated real sets: --device cpu, gpu and auto
#   batches            one of them with -b from 1M to 256M
#   mixed              pairs of 150 bp to 200 kbp, interleaved and class by class
#   huge               pairs of 1 Mbp and 300 kbp
#   small              six pairs, and simulated files of about a second
#   pair-of-processes  two processes on one GPU, at once and one after the other
#   interrupt          SIGINT during pairs of 1 Mbp
#   memory             --gpu-memory 2G
#   gpus               all GPUs beside the first, in memory and whole commands; left
#                      out on a machine with one
#
# Variables:
#
#   DEVICE=gpu      --device of whole commands: gpu, which is all GPUs, or a number; or
#                   cpu, to try the script without a GPU
#   BASELINE        another build of wfagpu, to compare huge pairs with
#   GPUFLAGS        flags of `build/bench gpu` for the rates in memory: '-sets ont'
#   WHOLEFLAGS      flags of `build/bench whole` for the other parts: '-seconds 20'
#   TMPDIR          the directory for inputs and outputs, 20 to 40 GB
#   LIMIT=420       seconds that a part may take
#   LOG             a file that gets a copy of the output
#   BUILD=build     the directory of the programs
#
# Lines that begin with RESULT or FAILED are for programs: scripts/internal/report
# describes their fields. A part that fails leaves the others alone; the exit status
# is 1 if one did. A missed goal is no failure.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C

all=(simulated sets sets-approx commands batches mixed huge small pair-of-processes interrupt memory gpus)
parts=("$@")
[[ $# -gt 0 ]] || parts=("${all[@]}")
for part in "${parts[@]}"; do
	[[ " ${all[*]} " == *" $part "* ]] || { echo "$0: no part is named $part: ${all[*]}" >&2; exit 2; }
done
build=${BUILD:-build}
for program in wfagpu bench; do
	[[ -x $build/$program ]] || { echo "$0: no $build/$program: run make gpu-binaries where there is Go" >&2; exit 1; }
done
device=${DEVICE:-gpu}
data=${WFAGPU_DATA:-}
log=${LOG:-}
if [[ -z $log ]]; then
	log=$(mktemp) || exit 1
	trap 'rm -f "$log"' EXIT
fi

# The GPUs by number: all of them for the part gpus, the first for rates in memory and
# for two processes.
first=0 gpus=1
[[ $device == gpu ]] || first=$device
if [[ $device == cpu ]]; then
	gpus=0
elif command -v nvidia-smi >/dev/null; then
	nvidia-smi --query-gpu=name,memory.total,memory.used,driver_version --format=csv,noheader
	gpus=$(nvidia-smi --list-gpus | grep -c '^GPU ')
fi
list=$(seq -s , 0 $((gpus > 0 ? gpus - 1 : 0)))

limit=() # of a command of build/bench, which cleans up after an interrupt
if command -v timeout >/dev/null; then
	limit=(timeout -s INT -k 20 "${LIMIT:-420}")
fi

# Flags of the variables are several words.
# shellcheck disable=SC2086
rates() { "${limit[@]}" "$build/bench" gpu -results -alone=false "$@" ${GPUFLAGS:-}; }
# shellcheck disable=SC2086
whole() { # a device and a part
	"${limit[@]}" "$build/bench" whole -program "$build/wfagpu" -baseline "${BASELINE:-}" -data "$data" -device "$1" ${WHOLEFLAGS:-} "$2"
}

run() { # a part
	if [[ -z $data && ! $1 =~ ^(simulated|mixed|huge|small|interrupt)$ ]]; then
		echo "WFAGPU_DATA names no directory of real sets"
		return 1
	fi
	case $1 in
	simulated) rates -device "$first" ;;
	sets) rates -device "$first" -data "$data" -host -rounds 1 -seconds 2 ;;
	sets-approx) rates -device "$first" -data "$data" -approx 0,0 -rounds 1 -seconds 2 ;;
	gpus)
		if ((gpus < 2)); then
			echo "skipped: $gpus GPU"
			return 0
		fi
		local status=0
		rates -device "$list" -first -scores=false -data "$data" -rounds 1 -seconds 2 || status=1
		rates -device "$list" -first -scores=false -data "$data" -rounds 1 -seconds 2 -approx 0,0 || status=1
		whole "$list" gpus || status=1
		return $status
		;;
	pair-of-processes | memory) whole "$first" "$1" ;;
	*) whole "$device" "$1" ;;
	esac
}

failed=()
measure() {
	date -u '+# %Y-%m-%d %H:%M:%S UTC'
	"$build/wfagpu" --version
	for part in "${parts[@]}"; do
		start=$SECONDS
		printf '\n# === %s ===\n' "$part"
		if ! run "$part" 2>&1; then
			failed+=("$part")
			printf 'FAILED\t%s\t%s\tthe part ends with an error\n' "$part" "$part"
		fi
		echo "# === $part: $((SECONDS - start)) s ==="
	done
	[[ ${#failed[@]} -eq 0 ]]
}

summary() {
	printf '\n# Goals: %d met, %d missed; missed:\n' "$(grep -c $'^RESULT.*\tmet$' "$log")" "$(grep -c $'^RESULT.*\tmissed$' "$log")"
	grep $'^RESULT.*\tmissed$' "$log" | sed 's/^/# /'
	printf '# Failures: %d\n' "$(grep -c '^FAILED' "$log")"
	grep '^FAILED' "$log" | sed 's/^/# /'
}

measure | tee "$log"
status=${PIPESTATUS[0]}
summary | tee -a "$log"
exit "$status"
