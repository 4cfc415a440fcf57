#!/bin/sh
# scripts/setup.sh VENV: an environment with the locked packages and the project (editable). Nothing is compiled.
# PYTHON names the interpreter; without it the first Python of 3.11 or newer that can make environments is taken.
set -eu
venv=$1
cd "$(dirname "$0")/.."

usable='import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))'
if [ -n "${PYTHON:-}" ]; then
    set -- "$PYTHON"
else
    set -- python3.11 python3.12 python3.13 python3.14 python3 python
fi
found=
for candidate in "$@"; do
    if command -v "$candidate" >/dev/null 2>&1 && "$candidate" -c "$usable" >/dev/null 2>&1; then
        found=$candidate
        break
    fi
done
if [ -z "$found" ]; then
    echo "To set up $venv, Python 3.11 or newer with its venv module is needed (on Debian: python3-venv)." >&2
    echo "Tried: $*. Choose one with: make PYTHON=/path/to/python ..." >&2
    exit 1
fi

quietly() {
    if ! "$@" >"$venv/setup.log" 2>&1; then
        cat "$venv/setup.log" >&2
        echo "Setting up $venv failed at: $*" >&2
        exit 1
    fi
}
pip="$venv/bin/python -m pip --disable-pip-version-check --quiet"

if ! cmp -s requirements/lock.txt "$venv/lock.txt" || ! "$venv/bin/python" -c "$usable" >/dev/null 2>&1; then
    echo "setting up $venv with $("$found" --version) (about a minute, once)" >&2
    "$found" -m venv --clear "$venv"
    quietly $pip install --root-user-action=ignore --only-binary :all: --require-hashes -r requirements/lock.txt
    cp requirements/lock.txt "$venv/lock.txt"
fi
quietly $pip install --root-user-action=ignore --no-deps --no-build-isolation --editable .
touch "$venv/.ready"
