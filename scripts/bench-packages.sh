#!/bin/sh
# Installs the Debian packages of the libraries that `make bench` compares with,
# as root and without asking. Elsewhere it lists the missing ones; the benchmarks
# run without those libraries.
#
#   scripts/bench-packages.sh            the peers and a compiler
#   scripts/bench-packages.sh minimap2   these packages instead
set -u

[ $# -gt 0 ] || set -- gcc g++ make libc6-dev zlib1g-dev \
	libwfa2-dev libedlib-dev libminimap2-dev libparasail-dev libseqan2-dev

missing=
for package; do
	status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
	[ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
	echo "$0: not installed, for want of apt-get or root:$missing" >&2
	exit 0
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q >/dev/null || echo "$0: apt-get update failed" >&2
# If one is not available, install the others one by one.
# shellcheck disable=SC2086
apt-get install -q -y --no-install-recommends $missing >/dev/null 2>&1 ||
	for package in $missing; do
		apt-get install -q -y --no-install-recommends "$package" >/dev/null 2>&1 ||
			echo "$0: $package could not be installed" >&2
	done
