#!/usr/bin/env bash
# Checks the packages of the last commit for this machine: what they contain, that a
# build in another directory makes the same, and what the program says of its commit.
# scripts/package-test.sh checks more.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
	echo "$0: $*" >&2
	exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
arch=$(go env GOARCH)
commit=$(git rev-parse --short=12 HEAD)
packages=("linux-$arch")
if command -v dpkg-deb >/dev/null; then packages+=("deb-$arch"); else echo "$0: no dpkg-deb: no Debian package" >&2; fi

# Clones, since a build must not depend on what is not committed. The directories of the
# builds have names of different lengths.
for clone in one another/two; do
	git clone -q . "$work/$clone"
	mkdir -p "$work/tmp/$clone"
	(umask 077 && TMPDIR=$work/tmp/$clone "$work/$clone/scripts/package-dist.sh" "${packages[@]}") >"$work/log" 2>&1 || fail "$(cat "$work/log")"
done
cmp "$work"/{one,another/two}/build/dist/SHA256SUMS || fail "two builds differ"

cd "$work/one/build/dist"
sha256sum --quiet -c SHA256SUMS
tree=$(basename wfagpu-*-"linux-$arch.tar.gz" .tar.gz)
tar -xzf "$tree.tar.gz" -C "$work"
program=$work/$tree/wfagpu
[[ $("$program" --version) == "wfagpu "*" (commit $commit, "* ]] || fail "the program says $("$program" --version)"
! grep -q "$work" "$program" || fail "the program has the directory of its build"
"$program" align --check --quiet "$work/one/datasets/small.seq" | cmp - "$work/one/datasets/small.expected.tsv"
for file in man/man1/wfagpu-align.1 completions/{wfagpu.bash,_wfagpu,wfagpu.fish} LICENSE THIRD-PARTY.txt CHANGELOG.md README.md; do
	[[ -s $work/$tree/$file ]] || fail "the archive lacks $file"
done
bash -n "$work/$tree/completions/wfagpu.bash"
grep -q '^==== github.com/spf13/cobra ' "$work/$tree/THIRD-PARTY.txt" || fail "THIRD-PARTY.txt lacks a module"

if command -v dpkg-deb >/dev/null; then
	dpkg-deb --contents ./*.deb | awk '$2 != "root/root" { exit 1 }' || fail "a file of the Debian package is not root's"
	dpkg-deb --extract ./*.deb "$work/deb"
	cmp "$work/deb/usr/bin/wfagpu" "$program"
	for file in man/man1/wfagpu-align.1.gz bash-completion/completions/wfagpu zsh/vendor-completions/_wfagpu doc/wfagpu/copyright; do
		[[ -s $work/deb/usr/share/$file ]] || fail "the Debian package lacks $file"
	done
fi

# A tag that is not the version is refused.
git -C "$work/one" tag v0.0.0
"$work/one/scripts/package-dist.sh" "${packages[0]}" >/dev/null 2>"$work/log" && fail "a wrong tag is accepted"
grep -q 'the tag v0.0.0, and its version is' "$work/log" || fail "$(cat "$work/log")"
git -C "$work/one" tag -d v0.0.0 >/dev/null

# A build in a checkout knows the commit from git.
says() { # says DESCRIPTION PROGRAM
	[[ $("$2" --version) == *" ($1, "* ]] || fail "want $1: $("$2" --version)"
}
export CGO_ENABLED=0 GOFLAGS=-trimpath
cd "$work/one"
go build -buildvcs=true -o "$work/built" ./cmd/wfagpu
says "commit $commit" "$work/built"
echo >>README.md
GOBIN=$work/bin go install -buildvcs=true ./cmd/wfagpu
says "commit $commit modified" "$work/bin/wfagpu"
go build -buildvcs=false -o "$work/built" ./cmd/wfagpu
says "commit unknown" "$work/built"

echo "packages: ${packages[*]}: reproducible, complete, commit $commit"
