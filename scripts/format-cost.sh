#!/usr/bin/env bash
# Measures what PAF and SAM take over TSV on this machine, and prints a table in Markdown, as in
# RESULTS-formats.md. The CPU aligns. Each time is the least of ROUNDS (default 5), in which the
# formats take turns. The row "copied" is that of dd, which reads and writes the bytes of SAM and
# does nothing else. The rows "to /dev/null" have no output to store; that of SAM is compared with that
# of TSV.
#
#   scripts/format-cost.sh [MILLIONS of pairs of 150 bp, default 2]
#
# NAMES has other inputs than all: seq, fastq, turns, hits, long.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
CGO_ENABLED=0 "${GO:-go}" build -o "$dir/wfagpu" ./cmd/wfagpu
"${GO:-go}" build -o "$dir/hits" ./scripts/hits
thousands=$((${1:-2} * 1000))
rounds=${ROUNDS:-5}
cd "$dir"

names=" ${NAMES:-seq fastq turns hits long} "

# wanted NAME… says whether one of the inputs is measured.
wanted() {
	local name
	for name; do [[ $names != *" $name "* ]] || return 0; done
	return 1
}

if wanted seq fastq turns; then
	./wfagpu generate -n "${thousands}K" -l 150 -e 0.02 --max-error-rate 0.05 -o short.seq
fi
if wanted long; then
	./wfagpu generate -n "$((thousands * 2))" -l 10000 -e 0.02 --max-error-rate 0.05 -o long.seq
fi
if wanted fastq turns; then # the pairs of short.seq
	awk 'BEGIN { while (length(q) < 300) q = q "IIIIIIIIII" }
		{ file = /^>/ ? "q.fq" : "t.fq"; s = substr($0, 2); n += /^>/
		record = "@read." n "\n" s "\n+\n" substr(q, 1, length(s)); print record > file; print record > "turns.fq" }' short.seq
fi
if wanted hits; then # an index, too
	./hits -bases 100000000 -reads "${thousands}000" .
	head -n 100 hits.paf | ./wfagpu align --quiet --device cpu -p - -q reads.fq -t ref.fa >out
fi

# seconds COMMAND… sets cpu, user and system time, and real.
seconds() {
	local TIMEFORMAT='%U %S %R' u s
	{ time "$@"; } 2>./times
	read -r u s real <./times
	cpu=$(awk "BEGIN { print $u + $s }")
}

label() {
	case $1 in
	copy) echo "SAM, copied by dd" ;;
	*-null) local format=${1%-null} && echo "${format^^}, to /dev/null" ;;
	*) echo "${1^^}" ;;
	esac
}

least() { awk "BEGIN { print $1 < $2 ? $1 : $2 }"; }

echo "| pairs | format | output, MB | CPU time, s | over TSV | wall time, s | over TSV |"
echo "|---|---|---|---|---|---|---|"

# table NAME FLAGS… measures one input.
table() {
	local name=$1 round row over
	shift
	declare -A cpus walls sizes
	# timed ROW COMMAND… keeps the least times of a row.
	timed() {
		local row=$1
		shift
		seconds "$@"
		cpus[$row]=$(least "${cpus[$row]:-1e9}" "$cpu")
		walls[$row]=$(least "${walls[$row]:-1e9}" "$real")
	}
	for ((round = 0; round < rounds; round++)); do
		for row in tsv paf sam tsv-null sam-null; do
			local out=out
			[[ $row != *-null ]] || out=/dev/null
			[[ $row == *-null ]] || rm -f out # a file that is replaced costs its blocks, too
			timed "$row" ./wfagpu align --quiet --device cpu -O "${row%-null}" -o "$out" "$@"
			[[ $row == *-null ]] || sizes[$row]=$(stat -c %s out)
		done
		rm -f copy
		timed copy dd if=out of=copy bs=256K status=none
		rm -f copy
	done
	sizes[copy]=${sizes[sam]}
	for row in tsv paf sam copy tsv-null sam-null; do
		over=tsv
		[[ $row != *-null ]] || over=tsv-null
		awk -v name="$name" -v f="$(label "$row")" -v b="${sizes[$row]:-0}" -v a="${cpus[$row]}" -v b0="${cpus[$over]}" -v w="${walls[$row]}" -v w0="${walls[$over]}" \
			'BEGIN { printf "| %s | %s | %.0f | %.2f | %.2f | %.2f | %.2f |\n", name, f, b / 1e6, a, a / b0, w, w / w0 }'
	done
}

if wanted seq; then table "150 bp, .seq" short.seq; fi
if wanted fastq; then table "150 bp, two FASTQ" -q q.fq -t t.fq; fi
if wanted turns; then table "150 bp, interleaved" --interleaved turns.fq; fi
if wanted hits; then table "150 bp, hits" -p hits.paf -q reads.fq -t ref.fa; fi
if wanted long; then table "10,000 bp, .seq" long.seq; fi
