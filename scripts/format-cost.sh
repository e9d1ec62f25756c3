#!/usr/bin/env bash
# Measures what PAF and SAM take over TSV on this machine, and prints a table in Markdown, as in
# RESULTS-formats.md. The CPU aligns. Each time is the least of ROUNDS (default 5), in which the
# formats take turns.
#
#   scripts/format-cost.sh [MILLIONS of pairs of 150 bp, default 2]
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
CGO_ENABLED=0 "${GO:-go}" build -o "$dir/wfagpu" ./cmd/wfagpu
thousands=$((${1:-2} * 1000))
rounds=${ROUNDS:-5}
cd "$dir"

./wfagpu generate -n "${thousands}K" -l 150 -e 0.02 --max-error-rate 0.05 -o short.seq
./wfagpu generate -n "$((thousands * 2))" -l 10000 -e 0.02 --max-error-rate 0.05 -o long.seq
# The pairs of short.seq as FASTQ.
awk 'BEGIN { while (length(q) < 300) q = q "IIIIIIIIII" }
	{ file = /^>/ ? "q.fq" : "t.fq"; s = substr($0, 2); n += /^>/
	printf "@read.%d\n%s\n+\n%s\n", n, s, substr(q, 1, length(s)) > file }' short.seq

# seconds COMMAND… sets cpu, user and system time, and real.
seconds() {
	local TIMEFORMAT='%U %S %R' u s
	{ time "$@"; } 2>./times
	read -r u s real <./times
	cpu=$(awk "BEGIN { print $u + $s }")
}

least() { awk "BEGIN { print $1 < $2 ? $1 : $2 }"; }

echo "| pairs | format | output, MB | CPU time, s | over TSV | wall time, s | over TSV |"
echo "|---|---|---|---|---|---|---|"

# table NAME FLAGS… measures one input.
table() {
	local name=$1 format round
	shift
	declare -A cpus walls sizes
	for ((round = 0; round < rounds; round++)); do
		for format in tsv paf sam; do
			rm -f out # a file that is replaced costs its blocks, too
			seconds ./wfagpu align --quiet --device cpu -O "$format" -o out "$@"
			cpus[$format]=$(least "${cpus[$format]:-1e9}" "$cpu")
			walls[$format]=$(least "${walls[$format]:-1e9}" "$real")
			sizes[$format]=$(stat -c %s out)
		done
	done
	for format in tsv paf sam; do
		awk -v name="$name" -v f="${format^^}" -v b="${sizes[$format]}" -v a="${cpus[$format]}" -v b0="${cpus[tsv]}" -v w="${walls[$format]}" -v w0="${walls[tsv]}" \
			'BEGIN { printf "| %s | %s | %.0f | %.2f | %.2f | %.2f | %.2f |\n", name, f, b / 1e6, a, a / b0, w, w / w0 }'
	done
}

table "150 bp, .seq" short.seq
table "150 bp, two FASTQ" -q q.fq -t t.fq
table "10,000 bp, .seq" long.seq
