#!/bin/sh
# Fetches WFA2-lib's source from Debian's archive and builds it as its authors
# do (-O3 -march=native), into DIR. Prints the path of the built tree.
#
#   scripts/peers/wfa2/fetch.sh DIR
#
# Needs apt, make, gcc and g++. Nothing of the system's apt set-up is changed:
# the source list and its indexes live under DIR.
set -eu

[ $# -eq 1 ] || { echo "usage: $0 DIR" >&2; exit 2; }
mkdir -p "$1/lists/partial"
cd "$1"
dir=$(pwd)

if ! ls libwfa2_*.orig.tar.* >/dev/null 2>&1; then
	# The machine's own Debian archive, asked for source packages.
	for list in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
		[ -s "$list" ] || continue
		case $list in
		*.sources) sed 's/^Types:.*/Types: deb-src/' "$list" >src.sources && sources=src.sources ;;
		*) sed -n 's/^deb /deb-src /p' "$list" >src.list && sources=src.list ;;
		esac
		break
	done
	[ -n "${sources-}" ] || { echo "$0: no Debian package sources on this machine" >&2; exit 1; }
	set -- -q -o Dir::Etc::sourcelist="$dir/$sources" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$dir/lists"
	apt-get "$@" update >&2
	# Only the authors' tarball is needed; an archive that lacks Debian's own
	# part of the package will do.
	apt-get "$@" source --download-only libwfa2 >&2 || true
fi

tarball=$(ls libwfa2_*.orig.tar.* 2>/dev/null | tail -n 1)
[ -n "$tarball" ] || { echo "$0: the source could not be fetched" >&2; exit 1; }
tree=$(tar -tf "$tarball" | head -n 1 | cut -d / -f 1)
if [ ! -f "$tree/lib/libwfa.a" ]; then
	tar -xf "$tarball"
	make -C "$tree" BUILD_EXAMPLES=0 BUILD_TOOLS=0 BUILD_WFA_PARALLEL=0 all >&2
fi
echo "$dir/$tree"
