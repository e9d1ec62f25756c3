#!/usr/bin/env bash
# Builds the packages of the last commit into build/dist, with SHA256SUMS. Changes that
# are not committed are not in them. The same commit and Go release give the same bytes
# in any directory.
#
#   scripts/package-dist.sh [PACKAGE...]
#
# The packages are all of the list below, unless some are named. All are built from the
# source archive, which needs git; the Debian packages need dpkg-deb.
set -euo pipefail
cd "$(dirname "$0")/.."

all=(linux-amd64 linux-arm64 linux-amd64-static linux-arm64-static darwin-arm64 windows-amd64 deb-amd64 deb-arm64)
(($#)) || set -- "${all[@]}"

commit=$(git rev-parse HEAD)
maintainer=$(git log -1 --format='%an <%ae>')
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
version=$(git show HEAD:cmd/wfagpu/version.go | sed -n 's/^const version = "\(.*\)"$/\1/p')
for tag in $(git tag --points-at HEAD 'v*'); do
	if [[ $tag != "v$version" ]]; then
		echo "$0: the commit has the tag $tag, and its version is $version" >&2
		exit 1
	fi
done

export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
export CGO_ENABLED=0 GOFLAGS='' GOWORK=off GOAMD64=v1 GOARM64=v8.0 GOEXPERIMENT=''
unset GOOS GOARCH
umask 022

out=$PWD/build/dist
name=wfagpu-$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$out"
mkdir -p "$out" "$work/common"

# The source archive has the commit in cmd/wfagpu/commit.txt: .gitattributes.
git archive --prefix="$name/" "$commit" | gzip -9n >"$out/$name-source.tar.gz"
tar -xzf "$out/$name-source.tar.gz" -C "$work"
cd "$work/$name"

# compile FILE GOOS GOARCH [TAGS] builds the program, once for several packages.
compile() {
	local built=$work/bin/$2-$3-${4:-}
	[[ -e $built ]] || GOOS=$2 GOARCH=$3 go build -trimpath -buildvcs=false -ldflags '-s -w' -tags "${4:-}" -o "$built" ./cmd/wfagpu
	cp "$built" "$1"
}

# licences GOOS GOARCH writes the licences of Go and of the modules in the program.
licences() {
	printf 'This program contains parts of Go and of the modules below, with these licences.\n'
	printf '\n==== Go\n\n' && cat "$(go env GOROOT)/LICENSE"
	GOOS=$1 GOARCH=$2 go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/wfagpu |
		sort -u | while read -r module release dir; do
		printf '\n==== %s %s\n\n' "$module" "$release"
		cat "$dir"/LICEN[CS]E*
	done
}

# What all packages have beside the program.
compile "$work/host" "$(go env GOHOSTOS)" "$(go env GOHOSTARCH)"
"$work/host" man "$work/common/man/man1"
mkdir "$work/common/completions"
"$work/host" completion bash >"$work/common/completions/wfagpu.bash"
"$work/host" completion zsh >"$work/common/completions/_wfagpu"
"$work/host" completion fish >"$work/common/completions/wfagpu.fish"
cp LICENSE README.md CHANGELOG.md "$work/common"

# stage NAME GOOS GOARCH PROGRAM [TAGS] lays out one package in $work/stage/NAME.
stage() {
	local dir=$work/stage/$1
	mkdir -p "$dir"
	cp -R "$work/common/." "$dir"
	licences "$2" "$3" >"$dir/THIRD-PARTY.txt"
	compile "$dir/$4" "$2" "$3" "${5:-}"
	find "$dir" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
}

for package; do
	IFS=- read -r os arch static <<<"$package"
	tree=$name-$package
	case $package in
	windows-amd64)
		stage "$tree" "$os" "$arch" wfagpu.exe
		(cd "$work/stage" && find "$tree" | sort | zip -9qX "$out/$tree.zip" -@)
		;;
	linux-amd64 | linux-arm64 | linux-amd64-static | linux-arm64-static | darwin-arm64)
		stage "$tree" "$os" "$arch" wfagpu "${static:+nogpu}"
		tar -C "$work/stage" --sort=name --owner=0 --group=0 --numeric-owner --format=ustar -cf - "$tree" | gzip -9n >"$out/$tree.tar.gz"
		;;
	deb-amd64 | deb-arm64)
		stage "$tree" linux "$arch" wfagpu
		MAINTAINER=$maintainer scripts/package-deb.sh "$work/stage/$tree" "$version" "$arch" "$out"
		;;
	*)
		echo "$0: unknown package $package: want ${all[*]}" >&2
		exit 2
		;;
	esac
done

cd "$out"
sha256sum -- * >SHA256SUMS
cat SHA256SUMS
