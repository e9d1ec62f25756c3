#!/usr/bin/env bash
# Builds and runs the images of scripts/packages/Containerfile, as root on Debian and
# without a registry: a Debian root stands in for the image that they run on, and the same
# with this machine's Go for the one that they are built on.
set -euo pipefail
cd "$(dirname "$0")/.."

for package in buildah mmdebstrap; do
	dpkg -s "$package" >/dev/null 2>&1 && continue
	apt-get update -q
	apt-get install -y -q --no-install-recommends "$package"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BUILDAH_ISOLATION=chroot
b() {
	buildah --root "$work/images" --runroot "$work/run" "$@"
}

mmdebstrap --quiet --variant=minbase --include=git bookworm "$work/root.tar"
base=$(b from scratch)
b add -q "$base" "$work/root.tar" /
b commit -q "$base" localhost/run
go=$(b from localhost/run)
b add -q "$go" "$(go env GOROOT)" /usr/local/go
b add -q "$go" /etc/ssl/certs /etc/ssl/certs # a proxy for Go modules may have its own
b config --env PATH=/usr/local/go/bin:/usr/bin:/bin "$go"
b commit -q "$go" localhost/go

git clone -q . "$work/context"
commit=$(git rev-parse --short=12 HEAD)
build() { # build NAME [FLAG...]
	b build -q --layers --pull-never --build-arg GO_IMAGE=localhost/go --build-arg RUN_IMAGE=localhost/run \
		"${@:2}" -f "$work/context/scripts/packages/Containerfile" -t "localhost/$1" "$work/context"
	container=$(b from "localhost/$1")
	b run "$container" -- /usr/bin/wfagpu --version | grep -F "(commit $commit, "
	b run -v "$PWD/datasets:/data:ro" "$container" -- /usr/bin/wfagpu align --check --quiet small.seq | cmp - datasets/small.expected.tsv
	[[ $(b inspect --format '{{.OCIv1.Config.User}}' "$container") == 65534:65534 ]]
	echo "image $1: as expected"
}
build wfagpu
build wfagpu-static --target static
