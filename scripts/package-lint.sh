#!/usr/bin/env bash
# Checks the conda recipe as far as that goes without conda: it renders, is clean YAML,
# has what bioconda asks of a recipe, and its version is the program's.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^const version = "\(.*\)"$/\1/p' cmd/wfagpu/version.go)
rendered=$(mktemp)
trap 'rm -f "$rendered"' EXIT
python3 - "${version%-dev}" scripts/packages/conda/meta.yaml >"$rendered" <<'END'
import re, sys
import jinja2, yaml

version, path = sys.argv[1:]
environ = {"WFAGPU_HOME": "https://home.test", "WFAGPU_SOURCE": "https://source.test/a.tar.gz", "WFAGPU_SHA256": "0" * 64}
text = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(open(path).read()).render(
    environ=environ, compiler=lambda name: name + "_compiler", pin_subpackage=lambda name, max_pin: name + " " + max_pin)
recipe = yaml.safe_load(text)
for key in ("package/name package/version source/url source/sha256 build/number build/run_exports requirements/build "
            "test/commands about/home about/license about/license_file about/summary").split():
    section, field = key.split("/")
    if recipe.get(section, {}).get(field) in (None, "", []):
        sys.exit(f"{path}: lacks {key}")
if str(recipe["package"]["version"]) != version:
    sys.exit(f"{path}: version {recipe['package']['version']}, and the program has {version}")
if not any(re.fullmatch(r"[a-z-]+_compiler", r) for r in recipe["requirements"]["build"]):
    sys.exit(f"{path}: the compiler is not named by compiler()")
if len(recipe["about"]["summary"]) > 120:
    sys.exit(f"{path}: the summary is long")
print("---")
print("\n".join(line.rstrip() for line in text.splitlines() if not line.startswith("#")).strip())
END
yamllint -d '{extends: default, rules: {line-length: {max: 100}, empty-lines: {max: 3}, comments: {min-spaces-from-content: 2}}}' "$rendered"
bash -n scripts/packages/conda/build.sh
echo "conda recipe: renders, version ${version%-dev}"
