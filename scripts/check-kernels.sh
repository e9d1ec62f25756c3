#!/usr/bin/env bash
# Compiles the kernels to PTX with clang, without the CUDA toolkit, to find errors in
# the sources. It does not assemble: errors in inline PTX and the number of registers
# remain unknown.
#
#   scripts/check-kernels.sh [-o OUT.ptx] [FILE.cu]
#
# FILE is cuda/wfagpu.cu by default. -o writes the PTX of the last architecture of
# ARCHS ("80 90"); a driver can load it. CLANG is the compiler.
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

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for arch in ${ARCHS:-80 90}; do
	# PTX 8.0 is the first with all instructions of sm_90.
	"$clang" -x cuda --cuda-device-only --cuda-gpu-arch="sm_$arch" --cuda-feature=+ptx80 \
		-nocudainc -nocudalib -include "$root/cuda/clang/builtins.h" \
		-std=c++17 -O3 -Wall -Wextra -Wno-bitwise-op-parentheses -S -o "$tmp/out.ptx" "$source"
	# There is no library that a call could be linked with.
	if grep '\.extern \.func' "$tmp/out.ptx" >&2; then
		echo "$0: sm_$arch: functions that do not exist on the device" >&2
		exit 1
	fi
	echo "${source#"$root"/}: sm_$arch: $(grep -c '\.visible \.entry' "$tmp/out.ptx" || true) kernels compiled to PTX by $clang"
done
if [[ -n $keep ]]; then
	cp "$tmp/out.ptx" "$keep"
	echo "$keep: PTX for sm_$arch"
fi
