#!/usr/bin/env bash
# Checks that the CUDA sources are as clang-format leaves them, by .clang-format.
#
#   scripts/check-format.sh        says what it would change, and fails
#   scripts/check-format.sh -i     changes it
#
# CLANG_FORMAT names the program; its version decides about details.
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
