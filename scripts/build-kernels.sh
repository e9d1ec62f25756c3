#!/usr/bin/env bash
# Compiles the kernels with nvcc of CUDA 13; see CONTRIBUTING.md.
#
#   scripts/build-kernels.sh                       cuda/bin/: the fatbin and its manifest
#   ARCHS="90" scripts/build-kernels.sh [FATBIN]   these architectures only, without a
#                                                  manifest; default build/wfagpu.fatbin
#
# NVCC is the compiler. The script also needs bash, coreutils, grep and awk. The
# compiler's report on registers and spills goes to build/kernels.log.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
	echo "usage: $0, or ARCHS=\"90 ...\" $0 [FATBIN]" >&2
	exit 2
}

nvcc=${NVCC:-nvcc}
all="80 86 89 90 100 120" # each as machine code; the first as PTX, too, for later GPUs
archs=${ARCHS:-$all}
if [[ -z ${ARCHS:-} ]]; then
	[[ $# -eq 0 ]] || usage
	out=cuda/bin/wfagpu.fatbin
else
	[[ $# -le 1 && ${1-} != -* ]] || usage
	out=${1:-build/wfagpu.fatbin}
	if [[ $(realpath -m "$out") == "$PWD"/cuda/bin/* ]]; then
		echo "$0: cuda/bin is for all architectures" >&2
		exit 2
	fi
fi
command -v "$nvcc" >/dev/null || { echo "$0: no $nvcc: the kernels need the CUDA toolkit" >&2; exit 1; }
compiler=$("$nvcc" --version | grep release)

# The image is one fatbin for each part behind another, in the order in which a program looks for
# kernels. Parts are compiled at the same time.
parts="waves bands adaptive free spans"

# Compression reduces the image to a fifth and adds some 50 ms to the loading of all parts;
# -lineinfo would triple its size. --split-compile is faster but changes the code.
flags=(-O3 -std=c++17 -fatbin --compress-mode=size)
read -ra archs <<<"$archs"
targets=()
for a in "${archs[@]}"; do
	flags+=(-gencode "arch=compute_$a,code=sm_$a")
	targets+=("sm_$a")
done
if [[ -z ${ARCHS:-} ]]; then
	a=${archs[0]}
	flags+=(-gencode "arch=compute_$a,code=compute_$a")
	targets+=("compute_$a")
fi
# One architecture per CPU at a time, with a report.
how=(--threads 0 -Xptxas -v)

# A copy is compiled, so that the hashes are those of the compiled sources.
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p build "$(dirname "$out")" "$tmp/cuda"
cp cuda/*.cu cuda/*.cuh "$tmp/cuda"
log=$PWD/build/kernels.log
start=$SECONDS
compile() { (cd "$tmp/cuda" && "$nvcc" "${flags[@]}" "${how[@]}" -o "$tmp/$1.fatbin" "part-$1.cu") >"$tmp/$1.log" 2>&1; }
jobs=() logs=() fatbins=()
for part in $parts; do
	compile "$part" &
	jobs+=($!) logs+=("$tmp/$part.log") fatbins+=("$tmp/$part.fatbin")
done
failed=0
for job in "${jobs[@]}"; do
	wait "$job" || failed=1
done
cat "${logs[@]}" >"$log"
if [[ $failed -ne 0 ]]; then
	grep -v '^ptxas info\|bytes stack frame' "$log" >&2 || true
	echo "$0: $nvcc failed; all it said is in build/kernels.log" >&2
	exit 1
fi
cat "${fatbins[@]}" >"$tmp/fatbin"
spills=$(awk '/Compiling entry function/ { kernel = $(NF-2) " for " $NF }
	/bytes spill stores/ && !/ 0 bytes spill stores, 0 bytes spill loads/ { sub(/^ */, ""); print kernel ": " $0 }' "$log")
if [[ -n $spills ]]; then
	echo "$0: warning: registers are spilled" >&2
	echo "$spills" >&2
fi

# kernel_names prints the kernels for the architecture $1, as ptxas compiled them.
kernel_names() { awk -F "'" -v arch="$1" '/Compiling entry function/ && $4 == arch { print $2 }' "$log" | LC_ALL=C sort; }

# Every architecture has the same kernels.
for target in "${targets[@]}"; do
	[[ $target == sm_* ]] || continue
	if [[ $(kernel_names "$target") != "$(kernel_names "${targets[0]}")" || -z $(kernel_names "$target") ]]; then
		echo "$0: the kernels for $target are not those for ${targets[0]}; see build/kernels.log" >&2
		exit 1
	fi
done

hash() { sha256sum "$1" | cut -d ' ' -f 1; }

# json_list prints its arguments as strings.
json_list() {
	local s
	printf -v s '"%s", ' "$@"
	printf '[%s]' "${s%, }"
}

manifest() {
	local f comma= kernels
	mapfile -t kernels < <(kernel_names "${targets[0]}")
	printf '{\n  "compiler": "%s",\n  "flags": %s,\n  "architectures": %s,\n' \
		"$compiler" "$(json_list "${flags[@]}")" "$(json_list "${targets[@]}")"
	printf '  "kernels": %s,\n' "$(json_list "${kernels[@]}")"
	printf '  "fatbin": "%s",\n  "sources": {' "$(hash "$tmp/fatbin")"
	for f in $(cd "$tmp/cuda" && printf '%s\n' * | LC_ALL=C sort); do
		printf '%s\n    "%s": "%s"' "$comma" "$f" "$(hash "$tmp/cuda/$f")"
		comma=,
	done
	printf '\n  }\n}\n'
}

if [[ -z ${ARCHS:-} ]]; then
	manifest >"$tmp/manifest.json"
	mv "$tmp/manifest.json" cuda/bin/manifest.json
fi
mv "$tmp/fatbin" "$out"
echo "$out: ${targets[*]}, $(wc -c <"$out") bytes in $((SECONDS - start)) s; $compiler"
