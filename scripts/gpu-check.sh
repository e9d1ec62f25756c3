#!/usr/bin/env bash
# Checks and measures the GPU engine on a machine with a GPU. The machine needs
# neither Go nor a network: `make gpu-binaries` builds the programs into build/, and
# the checkout is copied with build/.
#
#   scripts/gpu-check.sh            the tests, reduced, and the benchmark table
#   scripts/gpu-check.sh full       all of the tests, the tables, and a bad error bound
#   scripts/gpu-check.sh bench      the tables, with real sets where WFAGPU_DATA
#                                   names a directory with them, and a bad error bound
#   scripts/gpu-check.sh sanitize   memcheck and racecheck of compute-sanitizer on a
#                                   reduced suite
#
# If nvcc is found, the kernels are first compiled from the sources for this GPU;
# KERNELS=embedded uses the embedded ones.
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-quick}

build=$PWD/build
for f in wfagpu driver.test kernel.test gpu.test wfagpu.test bench; do
	[[ -x $build/$f ]] || { echo "$0: no $build/$f: run make gpu-binaries where there is Go" >&2; exit 1; }
done
nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader

if [[ ${KERNELS:-} != embedded && -n $(command -v "${NVCC:-nvcc}") ]]; then
	arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
	ARCHS=$arch scripts/build-kernels.sh "$build/check.fatbin"
	export WFAGPU_KERNELS=$build/check.fatbin
fi
export WFAGPU_REQUIRE_GPU=1

tests() { # arguments for the test programs
	(cd gpu/internal/driver && "$build/driver.test" "$@")
	(cd gpu/internal/kernel && "$build/kernel.test" -test.run OnDevice "$@")
	(cd gpu && "$build/gpu.test" -test.timeout 20m "$@")
	(cd cmd/wfagpu && "$build/wfagpu.test" -test.run OnDevice "$@")
}

tables() {
	"$build/bench" gpu
	"$build/bench" gpu -approx 0,0 -alone=false
	if [[ -n ${WFAGPU_DATA:-} ]]; then
		"$build/bench" gpu -data "$WFAGPU_DATA" -rounds 1
	fi
}

# The cost of an error bound that is far too small, and the CPU alone.
bound() {
	local pairs device
	pairs=$(mktemp)
	for set in "1000000 150 0.05" "20000 10000 0.05" "300 100000 0.03"; do
		read -r count length rate <<<"$set"
		"$build/wfagpu" generate -n "$count" --length "$length" --error-rate "$rate" --seed 7 -o "$pairs"
		for device in "cpu" "gpu" "gpu -e 1"; do
			echo "$count pairs of $length bp, error rate $rate, --device $device:"
			# shellcheck disable=SC2086
			"$build/wfagpu" align --device $device -o /dev/null "$pairs" 2>&1 | grep pairs/s
		done
	done
	rm -f "$pairs"
}

case $what in
quick) tests -test.short && "$build/bench" gpu ;;
full) tests && tables && bound ;;
bench) tables && bound ;;
sanitize)
	cd gpu
	for tool in memcheck racecheck; do
		# A kernel is looked up in one part of the image after the other: calls of the driver that do not find it are no errors.
		compute-sanitizer --tool "$tool" --error-exitcode 9 --report-api-errors no --kernel-name regex=wfa_ \
			"$build/gpu.test" -test.timeout 30m -test.run 'TestSanitized.*OnDevice'
	done
	;;
*) sed -n '2,/^set/p' "$0" | sed '$d' >&2; exit 2 ;;
esac
