#!/usr/bin/env bash
# Makes a Debian package of a tree of scripts/package-dist.sh.
#
#   MAINTAINER='NAME <ADDRESS>' SOURCE_DATE_EPOCH=SECONDS scripts/package-deb.sh TREE VERSION ARCH DIR
#
# It needs dpkg-deb alone: there is nothing to compile and nothing to configure, so
# the tools of Debian's source packages would have no work.
set -euo pipefail
umask 022

tree=$1 arch=$3 out=$4
# 0.1.0~dev20261122-1 is before 0.1.0-1, and later days are after earlier ones.
version=${2/-dev/\~dev$(date -ud "@$SOURCE_DATE_EPOCH" +%Y%m%d)}-1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

here=$(cd "$(dirname "$0")/packages/debian" && pwd)
doc=$root/usr/share/doc/wfagpu
install -D -m 755 "$tree/wfagpu" "$root/usr/bin/wfagpu"
install -D -m 644 -t "$root/usr/share/man/man1" "$tree"/man/man1/*.1
install -D -m 644 "$tree/completions/wfagpu.bash" "$root/usr/share/bash-completion/completions/wfagpu"
install -D -m 644 "$tree/completions/_wfagpu" "$root/usr/share/zsh/vendor-completions/_wfagpu"
install -D -m 644 "$tree/completions/wfagpu.fish" "$root/usr/share/fish/vendor_completions.d/wfagpu.fish"
install -D -m 644 "$here/lintian-overrides" "$root/usr/share/lintian/overrides/wfagpu"
install -D -m 644 -t "$doc" "$tree/README.md" "$tree/THIRD-PARTY.txt"
install -m 644 "$tree/CHANGELOG.md" "$doc/changelog"
cat "$here/copyright" "$tree/LICENSE" >"$doc/copyright"
cat >"$doc/changelog.Debian" <<-END
	wfagpu ($version) unstable; urgency=medium

	  * Version $2; changelog.gz lists the changes.

	 -- $MAINTAINER  $(date -uRd "@$SOURCE_DATE_EPOCH")
END
gzip -9n "$root"/usr/share/man/man1/* "$doc"/changelog* "$doc/THIRD-PARTY.txt"
chmod 644 "$doc"/*

size=$(du -sk --apparent-size "$root/usr" | cut -f 1)
mkdir "$root/DEBIAN"
sed -e "s/@VERSION@/$version/; s/@ARCH@/$arch/; s/@SIZE@/$size/" -e "s/@MAINTAINER@/${MAINTAINER//\//\\/}/" "$here/control" >"$root/DEBIAN/control"
(cd "$root" && find usr -type f | sort | xargs md5sum) >"$root/DEBIAN/md5sums"
find "$root" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$root" "$out/wfagpu_${version}_$arch.deb" >/dev/null
