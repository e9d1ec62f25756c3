#!/usr/bin/env bash
# Compiles the kernels to PTX with clang, without the CUDA toolkit, to find errors in
# the sources. It does not assemble: errors in inline PTX and the number of registers
# remain unknown.
#
#   scripts/check-kernels.sh [-o OUT.ptx] [FILE.cu]
#
# FILE is cuda/wfagpu.cu by default. -o writes the PTX of the last architecture of
# ARCHS ("80 90"), optimized; a driver can load it. CLANG is the compiler.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
clang=${CLANG:-clang-19}
keep=
while getopts o: option; do
	case $option in
	o) keep=$OPTARG ;;
	*) echo "usage: $0 [-o OUT.ptx] [FILE.cu]" >&2; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
source=${1:-$root/cuda/wfagpu.cu}
[[ -f $source ]] || { echo "$0: $source is not there" >&2; exit 1; }
command -v "$clang" >/dev/null || { echo "$0: no $clang (Debian: clang-19)" >&2; exit 1; }

# Optimizing takes four times as long, and finds no more errors.
optimize=-O0
[[ -z $keep ]] || optimize=-O3

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# compile ARCH compiles for an architecture.
compile() {
	local arch=$1 out=$tmp/$1.ptx
	# PTX 8.0 is the first with all instructions of sm_90.
	"$clang" -x cuda --cuda-device-only --cuda-gpu-arch="sm_$arch" --cuda-feature=+ptx80 \
		-nocudainc -nocudalib -include "$root/cuda/clang/builtins.h" \
		-std=c++17 "$optimize" -Wall -Wextra -Wno-bitwise-op-parentheses -S -o "$out" "$source" || return
	# There is no library that a call could be linked with.
	if grep '\.extern \.func' "$out" >&2; then
		echo "$0: sm_$arch: functions that do not exist on the device" >&2
		return 1
	fi
	echo "${source#"$root"/}: sm_$arch: $(grep -c '\.visible \.entry' "$out" || true) kernels compiled to PTX by $clang"
}

# All at the same time: each takes half a minute, or two if optimized.
jobs=()
for arch in ${ARCHS:-80 90}; do
	compile "$arch" &
	jobs+=($!)
done
failed=0
for job in "${jobs[@]}"; do
	wait "$job" || failed=1
done
[[ $failed -eq 0 ]] || exit 1
if [[ -n $keep ]]; then
	cp "$tmp/$arch.ptx" "$keep"
	echo "$keep: PTX for sm_$arch"
fi
