"""rehearse.py TREE FAKES [WORD...]: build a COPY of TREE with made-up records, to see what the build says.

FAKES is a folder of <stem>.py files, each leaving `measured` as the example would on the GPU.
Nothing is written to TREE. WORDs filter what is printed (paths, ids); the HTML lies in the copy.
"""
import os, re, runpy, shutil, subprocess, sys
from pathlib import Path
tree, fakes, words = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:]
html = "--html" in words
words = [w for w in words if w != "--html"]
copy = Path("build/rehearse") / tree.name
copy.mkdir(parents=True, exist_ok=True)
files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=tree, capture_output=True, text=True, check=True).stdout.split("\n")
kept = set()
for name in filter(None, files):
    src, dst = tree / name, copy / name
    if not src.is_file():
        continue
    kept.add(name)
    dst.parent.mkdir(parents=True, exist_ok=True)
    if not dst.exists() or dst.read_bytes() != src.read_bytes():
        shutil.copy2(src, dst)
for top in ("docs", "examples", "conf"):
    for path in list((copy / top).rglob("*")):
        rel = str(path.relative_to(copy))
        if path.is_file() and rel not in kept and "__pycache__" not in rel and "docs/gallery" not in rel:
            path.unlink()
sys.path[:0] = [str(copy / "conf"), str(copy / "tests")]
from factories import builder
from evidence.records.model import Output, Process, Record, SCHEMA, Table
from evidence.records.store import save, record_path
from evidence.examples.script import read_script
from evidence.measure.values import reduce_measured, merge
from evidence.measure.recording import plan, timings
import datetime
stems = {p.stem: p for p in (copy / "examples").rglob("*.py")}
missing = []
for stem, path in sorted(stems.items()):
    if record_path(path).exists() or stem == "_template":
        continue
    fake = fakes / f"{stem}.py"
    if not fake.exists():
        missing.append(stem); continue
    measured = runpy.run_path(str(fake))["measured"]
    one = reduce_measured(measured)
    script = read_script(path)
    n = max(plan(one, 0), 2)
    values = merge([one] * n)
    n = plan(values, n) if timings(values) else n
    n = script.settings.processes or n
    values = merge([one] * n)
    rec = Record(stem=stem, code_key=script.code_key, recorded=datetime.datetime.now(datetime.UTC).date().isoformat(),
        builder=builder(), measured=values, outputs=tuple(Output() for _ in script.cells), figures=(), names={},
        processes=(Process(1.0),) * n, typical=0, schema=SCHEMA)
    save(rec, record_path(path), {})
if missing:
    print("no fake for:", " ".join(missing))
command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "--no-color", "-j", "2", "-b", "html" if html else "dummy", "-c", "conf", "-d", "build/doctrees", "docs", "build/html"]
done = subprocess.run(command, cwd=copy, env={**os.environ, "PYTHONPATH": "conf", "EVIDENCE": "replay"}, capture_output=True, text=True)
out = [l for l in (done.stdout + done.stderr).splitlines() if not words or any(w in l for w in words)]
print("\n".join(dict.fromkeys(out)))
print("sphinx ended with", done.returncode, "; the copy is", copy)
