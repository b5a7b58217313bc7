"""
Some operators wait for the GPU
===============================

Which operators of PyTorch make the host wait? Each one runs on PyTorch's own sample inputs: in the
sync debug mode, which may report it, and behind a kernel that holds the stream, which shows it.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 180}
import json
import subprocess
import sys
from collections import Counter

# %%
# The samples are those of PyTorch's tests, which are private. (Of a package that may be missing,
# they need a class that ``unittest`` has, too.) Operators run in FP32 or else on integers.

PROGRAM = """
import json, sys, unittest, warnings
from functools import partial
from itertools import islice
import torch
from torch.utils._pytree import tree_leaves as leaves
warnings.simplefilter("ignore")
sys.modules["expecttest"] = unittest
from torch.testing._internal.common_methods_invocations import op_db
def forward_calls(operator):
    kinds = operator.supported_dtypes("cuda")
    kind = min(kinds, key=lambda kind: (kind != torch.float32, kind != torch.int64, str(kind)))
    learns = operator.supports_autograd and kind.is_floating_point
    for x in islice(operator.sample_inputs("cuda", kind, requires_grad=learns), SAMPLES):
        yield partial(operator, x.input, *x.args, **x.kwargs)

def backward_calls(calls):
    grad = partial(torch.autograd.grad, retain_graph=True, allow_unused=True)
    for call in calls:
        trees = map(leaves, (call(), (call.args, call.keywords)))
        ends = [[x for x in t if getattr(x, "requires_grad", False)] for t in trees]
        if ends[0]:
            yield partial(grad, *ends, [torch.ones_like(x) for x in ends[0]])
"""

# %%
# A call that waits returns after the kernel that holds the stream, which here only sleeps. (Its
# function is private to PyTorch and may change.) A slow call may outlast a short sleep: then try
# longer ones. What the mode reports, it can also raise, even from the thread that runs backward.
# The first two runs of a call do not count: they load kernels and libraries, and allocate memory.

PROGRAM += """
event = torch.cuda.Event()
KINDS = ("returned", "reported in vain"), ("waited unreported", "waited and reported")

def is_over(call, cycles):
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    event.record()
    call()
    return event.query()

def error_of(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""

def kind_of(call):
    waited = all(is_over(call, cycles) for cycles in HOLDS)
    torch.cuda.set_sync_debug_mode("error")
    error = error_of(call)
    torch.cuda.set_sync_debug_mode("default")
    return KINDS[waited]["called a synchronizing CUDA operation" in error]

def examined(operator):
    torch.manual_seed(0)
    row, calls = {"operator": operator.full_name, "errors": []}, operator
    for way, make in ("forward", forward_calls), ("backward", backward_calls):
        made = []
        errors = [error_of(lambda: made.extend(make(calls)))]
        errors += [error_of(call) or error_of(call) for call in made]
        calls = [call for call, error in zip(made, errors[1:]) if not error]
        row[way] = list(map(kind_of, calls))
        row["errors"] += [error.splitlines()[0] for error in errors if error]
    return row
print(json.dumps([list(map(examined, op_db[int(sys.argv[1])::PARTS])) for _ in range(2)]))
"""

# %%
# Several processes share the operators, and the GPU: a sleep may last longer than it says.

SAMPLES, PARTS = 8, 6
HOLDS = 1_000_000, 6_000_000, 30_000_000  # cycles: from half a millisecond on
GIVEN = f"SAMPLES, PARTS, HOLDS = {SAMPLES, PARTS, HOLDS}\n"
commands = [[sys.executable, "-c", GIVEN + PROGRAM, str(part)] for part in range(PARTS)]
parts = [subprocess.Popen(one, stdout=subprocess.PIPE, text=True) for one in commands]
said = [json.loads(part.communicate()[0].splitlines()[-1]) for part in parts]
rows = sorted((both for part in said for both in zip(*part)), key=str)

# %%
# Each operator has a row. If its kinds vary, the row says both, and no count includes it.

KINDS = "returned", "waited and reported", "waited unreported", "reported in vain"
table = [{"operator": r["operator"], "raised": len(r["errors"])} for r, _ in rows]
measured = {"operators": len(rows), "raised": sum(row["raised"] for row in table)}
for way in "forward", "backward":
    for found, (row, again) in zip(table, rows):
        kinds = (sorted(Counter(two[way]).items()) for two in (row, again))
        told = [", ".join(f"{n} {kind}" for kind, n in pairs) for pairs in kinds]
        found[way] = " or ".join(dict.fromkeys(told)) or "none ran"
    steady = [Counter(row[way]) for row, again in rows if row[way] == again[way]]
    measured[f"{way}_varied_operators"] = len(rows) - len(steady)
    measured[f"{way}_operators"] = sum(map(bool, steady))
    for kind in KINDS:
        name = f"{way}_{kind}".replace(" ", "_")
        measured[name] = sum(kinds[kind] for kinds in steady)
        measured[f"{name}_operators"] = sum(kind in kinds for kinds in steady)
measured |= {"samples": SAMPLES, "by_operator": {"table": table}}
errors = (f"{row['operator']}: {row['errors'][0]}" for row, _ in rows if row["errors"])
print(*errors, sep="\n")
