"""Several passes of one machine and day become one file: merge_passes.py FOLDER FILE...

Each file must be whole (the engine's check); the passes follow each other as they are given.
"""
import json, sys
from pathlib import Path
from evidence.judge import passes
from evidence.records import store

folder, *files = map(Path, sys.argv[1:])
whole = [json.loads(path.read_text()) for path in files]
for one, path in zip(whole, files):
    kept = folder / f"{one['machine']}-{one['day']}.json"
    kept.write_text(path.read_text())
    passes.load(kept)
first = {key: value for key, value in whole[0].items() if key != "checksum"}
assert all(one["builder"] == first["builder"] and one["machine"] == first["machine"] for one in whole)
assert all(one["claims"].keys() == first["claims"].keys() for one in whole)
first["passes"] = [run for one in whole for run in one["passes"]]
first["claims"] = {c: [v for one in whole for v in one["claims"][c]] for c in first["claims"]}
kept.write_text(store.seal(first))
print(kept.name, [len(run) for run in passes.load(kept).passes])
