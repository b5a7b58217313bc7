"""Values that are no measured floats and differ from the record on 2.14.1, where the pass of 0869dd2a (2.11) has the record's"""
import csv, json, sys
from pathlib import Path
sys.path.insert(0, "conf")
if __name__ == "__main__":
    from evidence.examples.script import find_scripts
    from evidence.judge.passes import DECODER
    from evidence.records import model, store
    R = Path("results")
    other = DECODER.decode(Path("shared/passes/h200-0869dd2a-2026-11-28.json").read_bytes()).runs[0]
    paths = {p.stem: p for p in find_scripts(Path("examples"))}
    n = 0; stems = set()
    def plain(c):
        v = getattr(c, "value", None)
        return None if c is None else ("float" if type(c).__name__ == "Timing" or isinstance(v, float) else repr(v) if v is not None else repr(c))
    with (R / "changed_values.csv").open("w", newline="") as f:
        w = csv.writer(f); w.writerow(["chapter", "example", "value", "record (2.11)", "2.14.1"])
        for line in (R / "runs/p214/results.jsonl").read_text().splitlines():
            r = json.loads(line)
            if "record" not in r: continue
            new = store.parse(json.dumps(r["record"]).encode()); old = store.find(store.record_path(paths[r["stem"]]))
            if old is None or old.code_key != new.code_key: print("key", r["stem"]); continue
            a, b = dict(model.leaves(old.measured)), dict(model.leaves(new.measured)); c = dict(model.leaves(other[r["stem"]].measured)) if r["stem"] in other else a
            for k in dict.fromkeys([*a, *b]):
                x, y, z = plain(a.get(k)), plain(b.get(k)), plain(c.get(k))
                if "float" in (x, y) or x == y or x != z: continue
                w.writerow([r["chapter"], r["stem"], k, x or "absent", y or "absent"]); n += 1; stems.add(r["stem"])
    print(n, len(stems))
