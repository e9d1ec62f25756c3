#!/usr/bin/env bash
# Checks the format of the CUDA sources with clang-format, by .clang-format.
#
#   scripts/check-format.sh        prints the differences and fails if there are any
#   scripts/check-format.sh -i     corrects the format
#
# CLANG_FORMAT is the program; the result depends on its version.
set -euo pipefail
cd "$(dirname "$0")/.."

format=${CLANG_FORMAT:-clang-format-19}
command -v "$format" >/dev/null || { echo "$0: no $format (Debian: clang-format-19)" >&2; exit 1; }
files=(cuda/*.cu cuda/*.cuh cuda/clang/* cuda/emu/*)
case ${1-} in
-i) "$format" -i "${files[@]}" ;;
'') "$format" --dry-run --Werror "${files[@]}" ;;
*) echo "usage: $0 [-i]" >&2; exit 2 ;;
esac
echo "$format: ${#files[@]} CUDA sources"
