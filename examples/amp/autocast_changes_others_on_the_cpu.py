"""
Autocast changes others on the CPU
==================================

Which operators of PyTorch does autocast change on the CPU? Each one runs on sample inputs, with
autocast off and on, forward and backward, in FP32, FP16, BF16 and mixtures of these types.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 300}
# sphinx_gallery_quiet = "nothing"
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# %%
# The samples are those of PyTorch's tests, which are private. (Of a package that may be missing,
# they need a class that ``unittest`` has, too.)

PROGRAM = """
import json, sys, torch, unittest, warnings
from itertools import islice, product
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten
warnings.simplefilter("ignore")
torch.set_num_threads(1)
sys.modules["expecttest"] = unittest
from torch.testing._internal.common_methods_invocations import op_db
TYPES = FP32, FP16, BF16 = torch.float32, torch.float16, torch.bfloat16
def alike(one, other):
    try:
        dense = [[x.detach().to_dense().nan_to_num() for x in some] for some in (one, other)]
        return all(map(torch.equal, *dense))
    except Exception:
        return True
def outcome(operator, leaves, tree, kinds, low):
    torch.manual_seed(0)
    given, found, ends = list(leaves), [], []
    for k, kind in kinds.items():
        given[k] = leaves[k].detach().to(kind).requires_grad_(leaves[k].requires_grad)
    first, args, kwargs = tree_unflatten(given, tree)
    try:
        with torch.autocast(DEVICE, low, enabled=low is not None):
            ends = tree_leaves(operator(first, *args, **kwargs))
        ends = [x for x in ends if isinstance(x, torch.Tensor)]
        found = list(dict.fromkeys(x.dtype for x in ends))
        if learn := [x for x in ends if x.requires_grad]:
            torch.autograd.backward(learn, [torch.ones_like(x) for x in learn])
    except Exception as error:
        word = "backward raises" if found else "raises"
        return [*found, word], str(error).split("\\n")[0], ends
    return found, "", ends
"""

# %%
# What autocast does is told by inputs on which it changes the types of the results, or their bits.

PROGRAM += """
DOES = {"raises": "raises", "FP32": "low", "low": "FP32", "mixed": "widest", "other": "widest"}
DOES |= {"inside": "inside", "ran": "unchanged"}
DEVICE, (PART, PARTS, SKIP, SAMPLES) = sys.argv[1], map(int, sys.argv[2:])
for operator in op_db[PART::PARTS][SKIP:]:
    row = {key: set() for key in ("operator", "does", "FP32", "low", "mixed", "other", "error")}
    row |= {"operator": operator.full_name, "does": {"died"}}
    print("@" + json.dumps(row, default=", ".join), flush=True)
    kinds = operator.supported_dtypes(DEVICE) or {FP32}
    kind = min(kinds, key=lambda kind: (kind != FP32, kind != torch.int64, str(kind)))
    learns = operator.supports_autograd and kind.is_floating_point
    samples = islice(operator.sample_inputs(DEVICE, kind, requires_grad=learns), SAMPLES)
    row["does"].clear()
    for x, low in product(samples, (FP16, BF16)):
        leaves, tree = tree_flatten((x.input, x.args, x.kwargs))
        words, told = {FP16: "other", BF16: "other", FP32: "FP32", low: "low"}, set()
        floats = [k for k, x in enumerate(leaves) if getattr(x, "dtype", None) is FP32]
        for types in product(TYPES, repeat=min(len(floats), 3)):
            kinds = dict(zip(floats, types + types[:1] * len(floats)))
            ways = {words[one] for one in types} or {"FP32"}
            way = "other" if "other" in ways else "mixed" if len(ways) > 1 else ways.pop()
            off, on = (outcome(operator, leaves, tree, kinds, one) for one in (None, low))
            row[way].add(" and ".join(words.get(one, str(one).split(".")[-1]) for one in on[0]))
            told |= {"ran"} if on[0] != ["raises"] else set()
            if off[0] != on[0]:
                told.add("raises" if way in ("FP32", "low") and on[0] == ["raises"] else way)
                row["error"] = row["error"] or {on[1]} - {""}
            elif not alike(off[2], on[2]):
                again = [outcome(operator, leaves, tree, kinds, x)[2] for x in (None, low) * 3]
                told |= {"inside"} if all(map(alike, [off[2], on[2]] * 3, again)) else set()
        row["does"].add(next((DOES[key] for key in DOES if key in told), "not run"))
    torch.accelerator.synchronize() if DEVICE != "cpu" else None
    print("@" + json.dumps(row, default=lambda some: ", ".join(sorted(some))), flush=True)
"""

# %%
# Several processes share the operators; one that dies is replaced. Changed operators come first.

DEVICE, SAMPLES, PARTS = "cpu", 4, 8
KINDS = "low", "FP32", "widest", "inside", "raises", "died", "unchanged", "not run"


def swept(part):
    rows, lines, run = {}, [""], None
    while lines and (run is None or run.returncode):
        numbers = map(str, (part, PARTS, len(rows), SAMPLES))
        command = [sys.executable, "-c", PROGRAM, DEVICE, *numbers]
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        lines = [json.loads(x[1:]) for x in run.stdout.splitlines() if x[:1] == "@"]
        rows |= {row["operator"]: row for row in lines}
    return rows.values()


with ThreadPoolExecutor(PARTS) as pool:
    rows = [row for some in pool.map(swept, range(PARTS)) for row in some]
rows.sort(key=lambda row: (row["does"] in KINDS[6:], row["does"], row["operator"]))
told = [kind for row in rows for kind in row["does"].split(", ")]
errors = [{k: r[k] for k in ("operator", "error")} for r in rows if r["error"]]
measured = {
    "samples": SAMPLES,
    "operators": len(rows),
    "by_does": {"table": [{"does": k, "operators": told.count(k)} for k in KINDS]},
    "errors": {"table": errors},
    "by_operator": {"table": rows},
}
