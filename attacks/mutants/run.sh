#!/usr/bin/env bash
# Measure and judge the mutants in this folder, which apply.py made: bash run.sh RESULTS [SECONDS]
# RESULTS.txt and RESULTS.jsonl grow as each mutant ends. PYTHON names the interpreter that has
# torch (default python3); WHEELS a folder of wheels, where the site's packages are not installed.
set -euo pipefail
results=$(realpath -m "${1:?name the results}")
seconds=${2:-110}
cd "$(dirname "$0")"
PYTHON=${PYTHON:-python3}
export PYTHONPATH="$PWD/conf${PYTHONPATH:+:$PYTHONPATH}" MPLBACKEND=Agg

needed="import click, markdown_it, mdit_py_plugins, msgspec, psutil, sphinx_gallery.py_source_parser"
if ! "$PYTHON" -c "$needed" 2>/dev/null; then
  if [ -z "${WHEELS:-}" ]; then
    "$PYTHON" -c "$needed" || { echo "install these, or name WHEELS"; exit 2; }
  fi
  "$PYTHON" -m pip install -q --no-index --find-links "$WHEELS" --target "$PWD/packages" \
    click msgspec psutil nvidia-ml-py "sphinx<9.1" "sphinx-gallery<0.23" markdown-it-py mdit-py-plugins
  export PYTHONPATH="$PYTHONPATH:$PWD/packages"
fi
exec "$PYTHON" judge_mutants.py "$results" --seconds "$seconds"
