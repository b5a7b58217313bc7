"""
Autocast changes others on the CPU
==================================

Which operators of PyTorch does autocast change on the CPU? Each one runs on sample inputs, with
autocast off and on, forward and backward, in FP32, FP16, BF16 and mixtures of these types.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 300}
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# %%
# The samples are those of PyTorch's tests, which are private. (Of a package that may be missing,
# they need a class that ``unittest`` has, too.) A private mode notes what runs, and on which types.

PROGRAM = """
import json, sys, torch, unittest, warnings
from itertools import islice, product
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten
warnings.simplefilter("ignore")
torch.set_num_threads(1)
sys.modules["expecttest"] = unittest
from torch.testing._internal.common_methods_invocations import op_db
TYPES = FP32, FP16, BF16 = torch.float32, torch.float16, torch.bfloat16
class Notes(TorchDispatchMode):
    notes = ""
    def __torch_dispatch__(self, call, types, args=(), kwargs=None):
        self.notes += f"{call} {[getattr(x, 'dtype', 0) for x in tree_leaves((args, kwargs))]}"
        return call(*args, **kwargs or {})
def outcome(operator, leaves, tree, kinds, low, mode=None):
    torch.manual_seed(0)
    given, found = list(leaves), []
    for k, kind in kinds.items():
        given[k] = leaves[k].detach().to(kind).requires_grad_(leaves[k].requires_grad)
    first, args, kwargs = tree_unflatten(given, tree)
    try:
        with mode or torch.enable_grad(), torch.autocast(DEVICE, low, enabled=low is not None):
            ends = tree_leaves(operator(first, *args, **kwargs))
        found = list(dict.fromkeys(x.dtype for x in ends if isinstance(x, torch.Tensor)))
        if ends := [x for x in ends if getattr(x, "requires_grad", False)]:
            torch.autograd.backward(ends, [torch.ones_like(x) for x in ends])
    except Exception as error:
        return [*found, "backward raises" if found else "raises"], str(error).split("\\n")[0]
    return found, ""
"""

# %%
# What autocast does is told by inputs on which it changes the types of the results, or the notes.

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
            alone = way in ("FP32", "low")
            if off[0] != on[0]:
                told.add("raises" if alone and on[0] == ["raises"] else way)
                row["error"] = row["error"] or {on[1]} - {""}
            elif on[0] != ["raises"]:
                modes = [Notes(), Notes()][: 2 * alone]
                for mode, one in zip(modes, (None, low)):
                    outcome(operator, leaves, tree, kinds, one, mode)
                told.add("inside" if len({mode.notes for mode in modes}) > 1 else "ran")
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
