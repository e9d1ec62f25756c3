#!/usr/bin/env bash
# Tests the packages as a user meets them, as root on Debian: the Debian package in a
# clean root, the other programs as far as they run here, and that two builds without a
# cache are the same. Takes minutes and installs what it needs. Arguments name the
# packages that are built a second time; the default is all.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
	echo "$0: $*" >&2
	exit 1
}

[[ $(id -u) -eq 0 ]] || fail "needs root"
needs=(mmdebstrap lintian qemu-user-static zip unzip file man-db groff shellcheck yamllint python3-jinja2 python3-yaml)
missing=()
for package in "${needs[@]}"; do
	dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
done
if ((${#missing[@]})); then
	apt-get update -q
	apt-get install -y -q --no-install-recommends "${missing[@]}"
fi

shellcheck scripts/package-*.sh
scripts/package-lint.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
demo=$PWD/datasets/small

echo "== two builds without a cache"
git clone -q . "$work/one"
git clone -q . "$work/another/two"
"$work/one/scripts/package-dist.sh" >/dev/null
(umask 077 && GOCACHE=$work/cache "$work/another/two/scripts/package-dist.sh" "$@" >/dev/null)
dist=$work/one/build/dist
(cd "$dist" && sha256sum -c SHA256SUMS && sha256sum -c "$work/another/two/build/dist/SHA256SUMS")
for archive in "$dist"/*.tar.gz; do tar -xzf "$archive" -C "$work"; done
unzip -q "$dist"/*.zip -d "$work"

echo "== programs"
name=$(basename "$dist"/wfagpu-*-source.tar.gz -source.tar.gz)
for program in "$work/$name"-*/wfagpu*; do
	echo "${program#"$work/"}: $(file -b "$program")"
done
file "$work/$name-linux-amd64-static/wfagpu" | grep -q 'statically linked'
file "$work/$name-linux-arm64-static/wfagpu" | grep -q 'statically linked'
# The libraries of arm64, for the program that needs them: unpacked, not configured.
mmdebstrap --quiet --architectures=arm64 --variant=extract --include=libc6 bookworm "$work/arm64" 2>"$work/log" || fail "$(cat "$work/log")"
run() { # run NAME COMMAND... aligns the committed pairs
	"${@:2}" align --check --quiet "$demo.seq" | cmp - "$demo.expected.tsv"
	echo "$1: as expected"
}
run linux-amd64 "$work/$name-linux-amd64/wfagpu"
run linux-amd64-static "$work/$name-linux-amd64-static/wfagpu"
run linux-arm64-static qemu-aarch64-static "$work/$name-linux-arm64-static/wfagpu"
run linux-arm64 qemu-aarch64-static -L "$work/arm64" "$work/$name-linux-arm64/wfagpu"

echo "== Debian package"
lintian --allow-root --fail-on error,warning "$dist"/*.deb
mmdebstrap --quiet --variant=minbase --include=man-db,bash-completion bookworm "$work/root" 2>"$work/log" || fail "$(cat "$work/log")"
cp "$dist"/wfagpu_*_amd64.deb "$demo.seq" "$demo.expected.tsv" "$work/root/root"
cat >"$work/root/root/try" <<'END'
set -euo pipefail
cd /root
dpkg -i ./wfagpu_*.deb
wfagpu --version
wfagpu align --check -o demo.tsv small.seq
cmp demo.tsv small.expected.tsv
for page in /usr/share/man/man1/wfagpu*.1.gz; do
	page=$(basename "$page" .1.gz)
	man --warnings "$page" >"$page.txt" 2>warnings
	[[ ! -s warnings ]] || { cat warnings; exit 1; }
	[[ $(wc -l <"$page.txt") -gt 10 ]]
done
grep -q 'PENALTIES, MATCH SCORES AND SPANS' wfagpu-align.txt
# bash-completion finds the script by the program's name. What it complains of is that the
# function is called by hand.
words=$(bash 2>noise <<'DONE'
source /usr/share/bash-completion/bash_completion
_completion_loader wfagpu
COMP_WORDS=(wfagpu align --mode "") COMP_CWORD=3 COMP_LINE="wfagpu align --mode " COMP_POINT=20 COMP_TYPE=9
__start_wfagpu
echo "${COMPREPLY[@]}"
DONE
)
[[ $words == exact*approx* ]] || { cat noise; exit 1; }
dpkg --purge wfagpu
[[ -z $(find /usr -path '*wfagpu*') ]]
END
unshare --mount --pid --fork --mount-proc="$work/root/proc" chroot "$work/root" bash /root/try

echo "packages: reproducible, installed and run"
