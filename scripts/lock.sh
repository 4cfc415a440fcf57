#!/usr/bin/env bash
# Writes requirements/lock.txt (every dependency, with the hashes of all its files), requirements/constraints.txt
# (the versions of what the installed package needs, for hosts that embed it) and requirements/bench.txt (what the
# benchmark compares with, by hash, at the versions of the lock where both have a package).
#
#   scripts/lock.sh              keeps the versions that still fit
#   scripts/lock.sh --upgrade    takes the newest ones
#
# The index is pip's default: options from pip's own configuration are left out, since the lock must install anywhere.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
unset PIP_FIND_LINKS PIP_EXTRA_INDEX_URL PIP_INDEX_URL PIP_CONSTRAINT
export PIP_CONFIG_FILE=/dev/null

"$python" -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check pip-tools

compile() {
    "$tools/bin/pip-compile" --quiet --no-config --no-header --no-annotate --strip-extras --allow-unsafe \
        --no-emit-options --no-emit-index-url --no-emit-find-links --no-emit-trusted-host "$@"
}

bare() {  # a lock is data: no remark, no blank line
    sed -i.old -e '/^#/d' -e '/^$/d' "$1" && rm "$1.old"
}

lock=requirements/lock.txt
compile "$@" --generate-hashes --extra postgres --extra http --extra fleet --output-file "$lock" pyproject.toml requirements/dev.in
bare "$lock"
# The hosts' versions are the tested ones: the lock is the constraint.
sed -e 's/ *\\$//' -e '/^ *--hash/d' "$lock" >"$tools/pins.txt"
compile --extra postgres --extra http --constraint "$tools/pins.txt" --output-file "$tools/constraints.txt" pyproject.toml
grep -E '^[A-Za-z0-9]' "$tools/constraints.txt" >requirements/constraints.txt

compile "$@" --generate-hashes --constraint "$tools/pins.txt" --output-file requirements/bench.txt requirements/bench.in
bare requirements/bench.txt
