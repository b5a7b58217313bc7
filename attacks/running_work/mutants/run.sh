#!/usr/bin/env bash
# Measure and judge the mutants in this folder, which apply.py made: bash run.sh OUTDIR [SECONDS]
# OUTDIR/measured-LANE.jsonl grow as each mutant ends; OUTDIR/table.txt is made in the end, or at
# home by judge_mutants.py. PYTHON names the interpreter that has torch (default python3); WHEELS a
# folder of wheels, where the site's packages are not installed.
# First those that time something or need two GPUs, alone; then the others, on each of two GPUs.
set -euo pipefail
outdir=$(realpath -m "${1:?name the folder of results}")
seconds=${2:-240}
ends=$(( $(date +%s) + seconds ))
cd "$(dirname "$0")"
mkdir -p "$outdir"
PYTHON=${PYTHON:-python3}
export PYTHONPATH="$PWD/conf${PYTHONPATH:+:$PYTHONPATH}" MPLBACKEND=Agg

needed="import msgspec, psutil, sphinx_gallery.py_source_parser"
judging="import click, markdown_it, mdit_py_plugins"
if ! "$PYTHON" -c "$needed" 2>/dev/null; then
  if [ -z "${WHEELS:-}" ]; then
    "$PYTHON" -c "$needed" || { echo "install these, or name WHEELS"; exit 2; }
  fi
  "$PYTHON" -m pip install -q --no-index --find-links "$WHEELS" --target "$PWD/packages" \
    click msgspec psutil nvidia-ml-py "sphinx<9.1" "sphinx-gallery<0.23" markdown-it-py mdit-py-plugins
  export PYTHONPATH="$PYTHONPATH:$PWD/packages"
fi

if [ -n "${CUDA_VISIBLE_DEVICES:-}" ]; then
  IFS=, read -ra gpus <<<"$CUDA_VISIBLE_DEVICES"
else
  mapfile -t gpus < <(nvidia-smi --query-gpu=index --format=csv,noheader 2>/dev/null)
fi

lane() { # a lane: its name, then what stands in its environment
  local name=$1; shift
  local scratch; scratch=$(mktemp -d)  # the lock of a campaign is there: each lane has its own
  env "$@" TMPDIR="$scratch" "$PYTHON" ${MEASURE:-measure_mutants.py} "$outdir" --lane "$name" \
    --ends "$ends" >>"$outdir/log-$name.txt" 2>&1 || echo "lane $name: ended with $?"
  rm -rf "$scratch"
}

lane alone
if [ "${#gpus[@]}" -ge 2 ]; then
  lane first CUDA_VISIBLE_DEVICES="${gpus[0]}" & first=$!
  lane second CUDA_VISIBLE_DEVICES="${gpus[1]}" & second=$!
  wait "$first" "$second"
else
  lane rest
fi
tail -qn 3 "$outdir"/log-*.txt
"$PYTHON" -c "$judging" 2>/dev/null || { echo "judge at home: judge_mutants.py"; exit 0; }
status=0
"$PYTHON" judge_mutants.py "$outdir" >"$outdir/log-judging.txt" 2>&1 || status=$?
tail -n 1 "$outdir/log-judging.txt"
exit "$status"
