"""Attacks: each tries to refute a sentence or claim of the pages, and ends with HOLDS or REFUTED.

From the root of an unpacked tree, with this folder carried:

    python3 FOLDER/attacks.py --out $OUT/attacks.jsonl --limit 300

Six at once; those that time, or look at the memory of the whole GPU, run alone at the end. Needs
torch and the standard library alone.
"""

import argparse
import ast
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: These time, or read the memory of the whole GPU.
ALONE = ("graph2_regime", "prec2_fp8", "prec2_fp16acc", "prec2_rates", "new_expandable_empty_each_step", "several_slow_work")
#: These compile: seconds until they are ended.
LONG = {"prec1_triton_conv": 70, "prec1_flex_default": 60, "graph2_late_results": 60, "prec1_compile_pins": 60, "new_tl_dot_long_sums": 45}
#: The claims that each is about.
CLAIMS = json.loads((HERE / "attack_claims.json").read_text())
parser = argparse.ArgumentParser()
parser.add_argument("--out", required=True, help="JSON lines are appended here")
parser.add_argument("--limit", type=float, default=300, help="seconds in all")
parser.add_argument("--jobs", type=int, default=6)
parser.add_argument("--timeout", type=float, default=30)
parser.add_argument("--only", default="", help="regular expression on the name")
parser.add_argument("--done", nargs="*", default=[], help="earlier outputs: skip theirs")
VERDICT = re.compile(r"^(HOLDS|REFUTED)\b[ :]*(.*)", re.M)


def run(path, seconds):
    """Run one attack in a session and folder of its own; gives its code, output and errors."""
    folder = tempfile.mkdtemp(prefix="attack-")
    # deter_grid reads a script of the tree, so all begin in its root.
    environment = os.environ | {"TMPDIR": folder, "TRITON_CACHE_DIR": f"{folder}/triton"}
    for name in ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "CUBLAS_WORKSPACE_CONFIG"):
        environment.pop(name, None)
    with open(f"{folder}/out", "w+") as out, open(f"{folder}/err", "w+") as err:
        process = subprocess.Popen(
            [sys.executable, str(path)], stdout=out, stderr=err, env=environment, start_new_session=True
        )
        try:
            code = process.wait(max(1, seconds))
        except subprocess.TimeoutExpired:
            code = f"ended after {seconds:.0f} s"
        try:
            os.killpg(process.pid, signal.SIGKILL)  # it and what it started, nothing else
        except ProcessLookupError:
            pass
        process.wait()
        out.seek(0), err.seek(0)
        return code, out.read(), err.read()


def attack(path, deadline, options):
    name = path.stem
    doc = ast.get_docstring(ast.parse(path.read_text())) or ""
    result = {"attack": name, "claims": CLAIMS.get(name, ""), "about": doc.splitlines()[0]}
    left = deadline - time.monotonic()
    if left < 3:
        return result | {"result": "NOT RUN"}
    began = time.monotonic()
    code, out, err = run(path, min(left, max(options.timeout, LONG.get(name, 0))))
    result["seconds"] = round(time.monotonic() - began, 1)
    found = VERDICT.findall(out)
    result["output"] = out[-6000:]
    if code == 0 and found:
        return result | {"result": found[-1][0], "why": found[-1][1][:3000]}
    result["errors"] = err[-1500:]
    last = (err.strip().splitlines() or [""])[-1]
    return result | {"result": "ERROR", "why": f"{code}: {last[:400]}"}


def main():
    options = parser.parse_args()
    begin = time.monotonic()
    deadline = begin + options.limit
    done = {
        item["attack"]
        for name in options.done
        for item in map(json.loads, Path(name).read_text().splitlines())
        if item["result"] in ("HOLDS", "REFUTED")
    }
    # The first import reads gigabytes: not within the time of the first six.
    told = "import torch; x = torch.ones(9, device='cuda'); print(torch.cuda.get_device_name(), torch.__version__, (x @ x).item())"
    warm = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True)
    print(warm.stdout.strip() or warm.stderr[-200:], f"{time.monotonic() - begin:.0f} s", flush=True)
    paths = [p for p in (HERE / "attacks").glob("*.py") if p.stem not in done and re.search(options.only, p.stem)]
    paths.sort(key=lambda p: (-LONG.get(p.stem, 0), not p.stem.startswith("new_"), p.stem))
    counts, turn = {}, threading.Lock()
    out = open(options.out, "a", encoding="utf-8")

    def one(path):
        try:
            result = attack(path, deadline, options)
        except Exception as error:  # one of them must not end the batch
            result = {"attack": path.stem, "result": "ERROR", "why": f"harness: {error!r}"}
        with turn:
            out.write(json.dumps(result, ensure_ascii=False) + "\n")
            out.flush()
            counts[result["result"]] = counts.get(result["result"], 0) + 1
            print(f"{result['result']} {path.stem} {str(result.get('why', ''))[:300]}", flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, [p for p in paths if p.stem not in ALONE]))
    for path in paths:
        if path.stem in ALONE:
            one(path)
    print(f"{counts} in {time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
