#!/usr/bin/env bash
# Aligns on a Slurm cluster in shards, and gathers the parts: OUTPUT has the bytes of one
# run, or compressed ones if its name says so.
#
#   submit.sh OUTPUT SHARDS [options of sbatch] -- [flags of wfagpu align] pairs.seq
#   submit.sh result.tsv 16 --gpus=1 -- --device gpu pairs.seq
#
# Run 'wfagpu index pairs.seq' first if the file is large. After a failure the same
# command submits the tasks whose parts are missing, and gathers. It prints the
# numbers of the array job and of the job that gathers.
set -euo pipefail
if (($# < 4)) || [[ ! $2 =~ ^[1-9][0-9]*$ ]]; then
	sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
	exit 2
fi
output=$1 shards=$2
shift 2
options=()
while (($#)) && [[ $1 != -- ]]; do
	options+=("$1")
	shift
done
if (($# < 2)); then
	echo "submit.sh: no -- with the flags and files of wfagpu align behind it" >&2
	exit 2
fi
shift

here=$(cd "$(dirname "$0")" && pwd)
dir=$output.shards
# Files of gzip or zstd one after another are such a file.
export COMPRESSION=
if [[ $output =~ \.(gz|bgz|zst)$ ]]; then COMPRESSION=${BASH_REMATCH[0]}; fi
mkdir -p "$dir"

# Parts of different commands must not be joined.
command=$(printf '%q ' "$shards" "$@")
if [[ -e $dir/command && $(<"$dir/command") != "$command" ]]; then
	echo "submit.sh: $dir has parts of another command: $(<"$dir/command")" >&2
	exit 1
fi
echo "$command" >"$dir/command"

# missing has the tasks to submit, neighbours as a range.
missing=() first=0
for ((k = 1; k <= shards + 1; k++)); do
	part=$(printf '%0*d-of-%d.tsv' "${#shards}" "$k" "$shards")$COMPRESSION
	if ((k <= shards)) && [[ ! -e $dir/$part ]]; then
		if ((first == 0)); then first=$k; fi
	elif ((first > 0)); then
		missing+=("$first-$((k - 1))")
		first=0
	fi
done
dependency=()
if ((${#missing[@]})); then
	array=$(sbatch --parsable --array="$(IFS=, && echo "${missing[*]}")" --output="$dir/%a.log" \
		"${options[@]}" "$here/align.sbatch" "$dir" "$shards" "$@")
	echo "array $array"
	dependency=(--dependency="afterok:$array" --kill-on-invalid-dep=yes)
fi
gather=$(sbatch --parsable "${dependency[@]}" --output="$dir/gather.log" "$here/gather.sbatch" "$dir" "$shards" "$output")
echo "gather $gather"
