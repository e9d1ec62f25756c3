#!/usr/bin/env bash
# conda-build runs this in the source archive.
set -euo pipefail

export CGO_ENABLED=0
go build -trimpath -ldflags '-s -w' -o "$PREFIX/bin/wfagpu" ./cmd/wfagpu
go-licenses save ./cmd/wfagpu --ignore wfagpu --save_path third-party

"$PREFIX/bin/wfagpu" man "$PREFIX/share/man/man1"
mkdir -p "$PREFIX"/share/{bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
"$PREFIX/bin/wfagpu" completion bash >"$PREFIX/share/bash-completion/completions/wfagpu"
"$PREFIX/bin/wfagpu" completion zsh >"$PREFIX/share/zsh/site-functions/_wfagpu"
"$PREFIX/bin/wfagpu" completion fish >"$PREFIX/share/fish/vendor_completions.d/wfagpu.fish"
