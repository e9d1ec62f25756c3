#!/usr/bin/env bash
# Prints running, success or failed for a Slurm job, as Snakemake's --cluster-status wants
# it. The controller knows jobs that ended a few minutes ago; after that, accounting.
set -uo pipefail
state=$(scontrol --oneliner show job "$1" 2>/dev/null | grep -o 'JobState=[A-Z_]*' | cut -d= -f2)
if [[ -z $state ]]; then
	state=$(sacct -n -X -P -o State -j "$1" 2>/dev/null | head -n 1)
fi
case $state in
COMPLETED) echo success ;;
"" | PENDING | CONFIGURING | RUNNING | COMPLETING | SUSPENDED | REQUEUED | RESIZING) echo running ;;
*) echo failed ;;
esac
