#!/usr/bin/env bash
# Measures what n shards cost over one run on this machine, with and without an index, and
# prints tables in Markdown, as in RESULTS-shards.md. The CPU aligns; shards run one
# after the other with all threads. Each time is the least of ROUNDS (default 3), in
# which all numbers of shards take turns.
#
#   scripts/shard-cost.sh [MILLIONS of pairs of 150 bp, default 2]
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
CGO_ENABLED=0 "${GO:-go}" build -o "$dir/wfagpu" ./cmd/wfagpu
thousands=$((${1:-2} * 1000))
rounds=${ROUNDS:-3}
cd "$dir"

./wfagpu generate -n "${thousands}K" -l 150 -e 0.02 -o short.seq
./wfagpu generate -n "$((thousands * 5))" -l 15000 -e 0.005 -o hifi.seq
./wfagpu generate -n "${thousands}K" -l 150 -e 0.02 -q reads.fa -t targets.fa
# The queries as FASTQ.
awk '/^>/ { name = substr($0, 2); next } { print "@" name "\n" $0 "\n+\n" $0 }' reads.fa >reads.fq
rm reads.fa

# seconds COMMAND… sets user (with system time) and real.
seconds() {
	local TIMEFORMAT='%U %S %R' u s
	{ time "$@" >/dev/null; } 2>./times
	read -r u s real <./times
	user=$(awk "BEGIN { print $u + $s }")
}

# shards N FLAGS… aligns N shards, 0 for one run without --shard.
shards() {
	local n=$1 k
	shift
	if ((n == 0)); then
		./wfagpu align --quiet --device cpu "$@"
		return
	fi
	for ((k = 1; k <= n; k++)); do
		./wfagpu align --quiet --device cpu --shard "$k/$n" "$@"
	done
}

# table NAME FLAGS… measures one input.
table() {
	local name=$1 n round indexed file key bytes=0
	shift
	declare -A cpu wall
	rm -f ./*.wfi
	shards 0 "$@" >whole
	for n in 2 16; do shards "$n" "$@" | cmp whole -; done
	for indexed in 0 1; do
		if ((indexed)); then
			# $@ are files and their flags.
			seconds ./wfagpu index "$@"
			cpu[index]=$user wall[index]=$real
		fi
		for ((round = 0; round < rounds; round++)); do
			for n in 0 1 2 4 8 16; do
				seconds shards "$n" "$@"
				key=$n.$indexed
				cpu[$key]=$(awk "BEGIN { a = ${cpu[$key]:-1e9}; print a < $user ? a : $user }")
				wall[$key]=$(awk "BEGIN { a = ${wall[$key]:-1e9}; print a < $real ? a : $real }")
			done
		done
	done
	for file; do
		if [[ -f $file ]]; then bytes=$((bytes + $(stat -c %s "$file"))); fi
	done
	printf '\n%s: %d pairs, %d MB. `wfagpu index`: %.2f s, CPU time %.2f s.\n\n' "$name" "$(wc -l <whole)" \
		$((bytes / 1000000)) "${wall[index]}" "${cpu[index]}"
	echo "| shards | CPU time, s | over one run | wall time, s | with an index: CPU time, s | over one run | wall time, s |"
	echo "|---|---|---|---|---|---|---|"
	for n in 0 1 2 4 8 16; do
		awk -v n="$n" -v a="${cpu[$n.0]}" -v b="${cpu[0.0]}" -v c="${wall[$n.0]}" -v d="${cpu[$n.1]}" -v e="${cpu[0.1]}" -v f="${wall[$n.1]}" \
			'BEGIN { printf "| %s | %.2f | %+.0f %% | %.2f | %.2f | %+.0f %% | %.2f |\n", n ? n : "one run", a, (a / b - 1) * 100, c, d, (d / e - 1) * 100, f }'
	done
}

table "150 bp, 2 % errors, .seq" short.seq
table "150 bp, 2 % errors, FASTQ and FASTA" -q reads.fq -t targets.fa
table "15,000 bp, 0.5 % errors, .seq" hifi.seq
