"""
Some operators change in deterministic mode
===========================================

What does ``torch.use_deterministic_algorithms(True)`` do to each operator? Each one runs twenty
times on PyTorch's own samples, without and with it: it may raise, or launch other kernels.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 300}
import json
import subprocess
import sys

# %%
# The samples are those of PyTorch's tests, which are private, at four times their length. (Of a
# package that may be missing, they need a class that ``unittest`` has, too.) Operators run in FP32
# or else on integers; a sample of more than four million numbers is left out.

PROGRAM = """
import contextlib, functools, itertools, json, sys, torch, unittest
from torch.utils._pytree import tree_leaves as leaves
GPU = [torch.profiler.ProfilerActivity.CUDA]
sys.modules["expecttest"] = unittest
from torch.testing._internal.common_methods_invocations import op_db
for module in [m for name, m in sys.modules.items() if name.startswith("torch.testing")]:
    for size in [n for n in "SML" if isinstance(getattr(module, n, None), int)]:
        setattr(module, size, SCALE * getattr(module, size))
torch.testing._internal.common_utils.extract_test_fn = lambda: None  # searches all modules
torch.utils.deterministic.fill_uninitialized_memory = False
def tensors(tree):
    return [x for x in leaves(tree) if isinstance(x, torch.Tensor)]
def forward_calls(operator):
    kinds = operator.supported_dtypes(DEVICE)
    kind = min(kinds, key=lambda kind: (kind != torch.float32, kind != torch.int64, str(kind)))
    learns = operator.supports_autograd and kind.is_floating_point
    for x in itertools.islice(operator.sample_inputs(DEVICE, kind, requires_grad=learns), SAMPLES):
        if sum(t.numel() for t in tensors((x.input, x.args, x.kwargs))) <= 2**22:
            yield functools.partial(operator, x.input, *x.args, **x.kwargs)
def backward_call(call):
    torch.manual_seed(0)
    trees = map(leaves, (call(), (call.args, call.keywords)))
    ends = [[x for x in t if getattr(x, "requires_grad", False)] for t in trees]
    grads = [torch.randn_like(x) for x in ends[0]]
    return functools.partial(torch.autograd.grad, *ends, grads, True, allow_unused=True)
"""

# %%
# Each run starts from the same seed. Results are alike if their numbers are. The profiler names the
# kernels, behind a short wait for each call: others with the switch on are another algorithm. (New
# memory is not filled here: that is another page.) Several processes share operators and GPU.

PROGRAM += """
def result_of(call):
    torch.manual_seed(0)
    return [x.detach().to_dense().clone() for x in tensors(call())]
unlike = lambda x, y: ((x != y) & ((x == x) | (y == y))).any()
def outcome(make, mode):
    torch.use_deterministic_algorithms(mode)
    try:
        first, varied = result_of(call := make()), 0
        for _ in range(RUNS - 1):
            varied += sum(map(unlike, first, result_of(call)))
        return call, mode, "varied" if varied else "same", ""
    except Exception as error:
        return 0, mode, "raised", str(error).partition(" does not have a deterministic")[0][:99]
def kernels_of(ran):
    with torch.profiler.profile(activities=GPU, acc_events=True) as profile:
        for call, mode, *_ in ran:
            torch.use_deterministic_algorithms(mode)
            torch.cuda._sleep(1)
            with contextlib.suppress(Exception):
                call()
    found, events = [[]], [x for x in profile.events() if x.device_type.name == "CUDA"]
    for event in sorted(events, key=lambda event: event.time_range.start):
        found += [[]] * ("spin_kernel" in event.name)
        found[-1].append(event.name)
    return map(sorted, found[1:])
def kinds_of(pair, kernels):
    off, on = [next(kernels) if one[0] else [] for one in pair]
    return [pair[0][2], "changed, " * (off != on != []) + pair[1][2], pair[1][3]]
def examined(operator):
    torch.use_deterministic_algorithms(False)
    calls, both = [], lambda make: [outcome(make, mode) for mode in (False, True)]
    with contextlib.suppress(Exception):
        calls += forward_calls(operator)
    one = [both(lambda: call) for call in calls]
    two = [both(functools.partial(backward_call, off[0])) for off, on in one if off[0] and on[0]]
    kernels = kernels_of([ran for pair in one + two for ran in pair if ran[0]])
    one, two = ([kinds_of(pair, kernels) for pair in pairs] for pairs in (one, two))
    return {"operator": operator.full_name, "forward": one, "backward": two}
print(json.dumps(list(map(examined, op_db[int(sys.argv[1])::PARTS]))))
"""
SAMPLES, SCALE, RUNS, PARTS, DEVICE = 4, 4, 20, 8, "cuda"
GIVEN = f"SAMPLES, SCALE, RUNS, PARTS, DEVICE = {SAMPLES, SCALE, RUNS, PARTS, DEVICE}\n"
start = [sys.executable, "-W", "ignore", "-c", GIVEN + PROGRAM]
pipe = subprocess.PIPE
parts = [subprocess.Popen([*start, str(n)], stdout=pipe) for n in range(PARTS)]
said = [json.loads(part.communicate()[0].splitlines()[-1]) for part in parts]
rows = sorted((row for part in said for row in part), key=lambda row: row["operator"])

# %%
# A call that raises without the switch does not count, and neither does one without a gradient.

table, measured = [{"operator": row["operator"]} for row in rows], {}
for way in "forward", "backward":
    for found, row in zip(table, rows):
        ran = [kinds for kinds in row[way] if kinds[0] != "raised"]
        for place, name in enumerate((way, f"{way}_switched")):
            did = [kinds[place] for kinds in ran]
            found[name] = "; ".join(f"{did.count(k)} {k}" for k in sorted(set(did)))
        found[f"{way}_says"] = next((kinds[2] for kinds in ran if kinds[2]), "")
    measured[f"{way}_operators"] = sum(bool(row[way]) for row in table)
    for word in "varied", "raised", "changed":
        those = [row["operator"] for row in table if word in row[f"{way}_switched"]]
        measured[f"{way}_switched_{word}"] = len(those)
        print(f"{way}, {word}:", *those)
        if (way, word) == ("forward", "varied"):
            old = sum("empty" not in n and "resize" not in n for n in those)
measured |= {"operators": len(rows), "samples": SAMPLES, "runs": RUNS}
measured |= {"by_operator": {"table": table}, "varied_and_not_empty": old}
