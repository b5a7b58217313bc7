"""Writes what the dry runs gave, and the barrier's expected table, as JSON: {stem: measured}."""
import ast, json, sys
from pathlib import Path
from types import SimpleNamespace
root = Path(sys.argv[1])
text = (root / "examples/several_gpus/a_barrier_takes_the_gpu_of_its_rank.py").read_text()
code = text[text.index("GPUS = {"):text.index("def awaited")] + "MARK = 0\n" + text[text.index("rows = {}\n"):]
import re
def told(ranks, call, moment, rank, gpu):
    own = {gpu}
    guess = call == "barrier"
    if guess: own.add(rank)
    if guess and rank == 1 and moment != "after_set": own.add(0)
    if call == "objects on the GPU": own |= {0, 1}
    w = ("Guessing device ID based on global rank " if guess else "") + ("using the device under current context" if guess and rank == 0 else "")
    return " and ".join(map(str, sorted(own))), w
space = {}
head, tail = code.split("MARK = 0\n")
exec(head, space)
space["answers"] = {c: [told(c[0], c[1], c[2], r, g) for r, g in enumerate(space["GPUS"][c[0]])] for c in space["CASES"]}
space["print"] = lambda *a, **k: None
exec(tail, space)
out = {"a_barrier_takes_the_gpu_of_its_rank": space["measured"]}
for stem, log, names in (("a_freed_graph_ends_a_capture", "dry1.txt", ["by_case"]), ("a_moved_weight_is_recorded_anew", "dry3.txt", ["by_move", "by_size"])):
    rows = [ast.literal_eval(l) for l in (root / "stubs" / log).read_text().splitlines() if l.startswith("{")]
    if len(names) == 2: out[stem] = {"by_move": {"table": rows[:3]}, "by_size": {"table": rows[3:]}, "calls": 10, "all_calls": 12}
    else: out[stem] = {"by_case": {"table": rows}, "tries": 5}
json.dump(out, sys.stdout)
