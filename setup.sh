# Called by make: fills .venv as constraints.txt says. Each failure ends in one sentence.
set -eu

fail() {
    echo "gomboc: $1" >&2
    exit 1
}

"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    fail "'$PYTHON' is not a Python 3.11 or newer: install one, or name it with make PYTHON=/path/to/python."

echo "Installing gomboc into .venv (the first time takes a minute or two) ..." >&2

if command -v uv >/dev/null 2>&1; then
    if uv venv --quiet --allow-existing --python "$PYTHON" .venv &&
        uv pip install --quiet --python .venv/bin/python --constraint constraints.txt --editable '.[spark,test]'; then
        exit 0
    fi
    echo "gomboc: uv could not install the packages, so pip tries." >&2
fi

"$PYTHON" -c 'import ensurepip, venv' 2>/dev/null ||
    fail "'$PYTHON' has no ensurepip: install the package python3-venv of your system, or put uv on PATH."
"$PYTHON" -m venv .venv ||
    fail "'$PYTHON' could not make a virtual environment in .venv: remove that folder with make clean and try again."
.venv/bin/python -m pip --disable-pip-version-check install -qq --constraint constraints.txt --editable '.[spark,test]' ||
    fail "pip could not install the packages (its reason is above): check the network or the configured package index, then call make again."
