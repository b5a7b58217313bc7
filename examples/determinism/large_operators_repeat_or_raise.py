"""
Large operators repeat or raise
===============================

Do operators repeat in deterministic mode if their tensors fill the GPU? PyTorch's own samples are
small. Each grows here until it has about a million numbers, and runs forward and backward.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 300}
import json
import sys
from subprocess import DEVNULL, PIPE, Popen

# %%
# All tensors of a sample grow, or the first or the others, in one dimension or as a batch, until a
# call takes too long. Random factors: a sum of equal numbers has the same bits in any order.

PROGRAM = """
import contextlib, faulthandler, itertools, json, os, sys, time, torch, unittest
from torch.utils._pytree import tree_leaves, tree_map_only
sys.modules["expecttest"] = unittest
from torch.testing._internal.common_methods_invocations import op_db
torch.testing._internal.common_utils.extract_test_fn = lambda: None  # searches all modules
torch.utils.deterministic.fill_uninitialized_memory = False
faulthandler.dump_traceback_later(120, exit=True)  # what is left then is not tried
wait = getattr(torch, DEVICE).synchronize  # raises for ever once the GPU has failed
UNCHECKED = "_", "native_batch", "torch.", "max_pool2d_with", "nn.functional.embedding_bag"
COLUMNS = "operator", "numbers", "forward", "forward_switched", "backward", "backward_switched"
WAYS = list(itertools.product((0, -1, 1, "batch"), ((0, 1, 2), (1, 2), (0,))))
def tensors(tree):
    return [x for x in tree_leaves(tree) if isinstance(x, torch.Tensor)]
def grown(x, times, way):
    y, dim = (x.detach()[None], 0) if way == "batch" else (x.detach(), way)
    if y.layout != torch.strided or y.dim() <= max(dim, 0):
        return x
    y = y.repeat_interleave(times, dim)
    if y.is_floating_point():
        factors = 1 - torch.rand(y.shape[dim], device=DEVICE) / 2
        y = (y.movedim(dim, -1) * factors.to(y.dtype)).movedim(-1, dim).contiguous()
    return y.requires_grad_(x.requires_grad)
def large_call(operator, sample, times, way, places):
    tree = [sample.input, sample.args, sample.kwargs]
    for n in places:
        tree[n] = tree_map_only(torch.Tensor, lambda x: grown(x, times, way), tree[n])
    def call():  # on copies, since some operators write to their inputs
        torch.manual_seed(0)
        x, args, kwargs = tree_map_only(torch.Tensor, torch.clone, tree)
        return operator(x, *args, **kwargs)
    return call, tree
def largest_call(operator, samples, way):
    best, size = (0, None, None), 0
    for sample, times in itertools.product(samples, [8**n for n in range(1, 8)]):
        size = size if times > 8 else 0  # of this sample, so far; none, if it cannot grow
        with contextlib.suppress(Exception):
            if best[0] >= LARGE or size is None:
                continue
            size, before = None, size
            call, tree = large_call(operator, sample, times, *way)
            begin, larger = time.perf_counter(), max(x.numel() for x in tensors([tree, call()]))
            wait()
            if larger > before and time.perf_counter() - begin < LIMIT_S:
                size, best = larger, max(best, (larger, call, tree), key=lambda one: one[0])
    wait()
    return best
def bits(tree):
    flat = [x.detach().to_dense().reshape(-1).resolve_conj().resolve_neg() for x in tensors(tree)]
    return [x.contiguous().view(torch.uint8) for x in flat]
def backward(call, tree):
    outs, ins = ([x for x in tensors(t) if x.requires_grad] for t in (call(), tree))
    slopes = [torch.randn_like(x) for x in outs]
    return lambda: torch.autograd.grad(outs, ins, slopes, True, allow_unused=True)
def outcome(mode, make, *given):
    torch.use_deterministic_algorithms(mode)
    said = "raise"
    with contextlib.suppress(Exception):
        first = bits((call := make(*given))())
        pairs = (pair for _ in range(RUNS - 1) for pair in zip(first, bits(call())))
        said = "vary" if sum((a != b).any() for a, b in pairs) else "repeat"
    torch.use_deterministic_algorithms(False)
    wait()
    return said
def examined(operator):
    samples, order = [], lambda kind: (kind != torch.float32, kind != torch.int64, str(kind))
    with contextlib.suppress(Exception):
        kind = min(operator.supported_dtypes(DEVICE), key=order)
        learns = operator.supports_autograd and kind.is_floating_point
        samples += itertools.islice(operator.sample_inputs(DEVICE, kind, learns), SAMPLES)
    few = operator.full_name.startswith(UNCHECKED)  # else they read behind small tensors
    found = [largest_call(operator, samples, way) for way in (WAYS[:1] if few else WAYS)]
    row = {"numbers": max(size for size, *_ in found)}
    calls = [one[1:] for one in found if one[0] >= max(1, min(LARGE, row["numbers"]))]
    for way, make in {"forward": lambda call, tree: call, "backward": backward}.items():
        both = [[outcome(mode, make, *one) for mode in (False, True)] for one in calls]
        both = zip(*[pair for pair in both if pair[0] != "raise"])
        for column, said in zip((way, way + "_switched"), both):
            row[column] = "; ".join(f"{said.count(w)} {w}" for w in sorted(set(said)))
    return row
for number in range(int(sys.argv[1]), len(op_db), PARTS):
    row = dict.fromkeys(COLUMNS, "") | {"operator": op_db[number].full_name, "numbers": 0}
    try:
        print(json.dumps(row | examined(op_db[number])), flush=True)
    except Exception:  # after an error of the GPU, a new process goes on
        print(json.dumps(row), flush=True)
        os.execv(sys.executable, [*sys.orig_argv[:-1], str(number + PARTS)])
"""
SAMPLES, RUNS, LARGE, LIMIT_S, PARTS, DEVICE = 8, 10, 2**20, 0.1, 12, "cuda"
GIVEN = f"{SAMPLES, RUNS, LARGE, LIMIT_S, PARTS, DEVICE = }"
start = [sys.executable, "-W", "ignore", "-c", GIVEN + PROGRAM]
parts = [Popen([*start, str(n)], stdout=PIPE, stderr=DEVNULL) for n in range(PARTS)]
said = [line for part in parts for line in part.communicate()[0].splitlines()]
rows = sorted(map(json.loads, said), key=lambda row: row["operator"])
large = [row for row in rows if row["numbers"] >= LARGE]
measured = {"runs": RUNS, "least_numbers": LARGE, "by_operator": {"table": rows}}
measured |= {"operators": len(rows), "large": len(large)}
for way in "forward", "backward", "forward_switched", "backward_switched":
    measured[f"{way}_large"] = sum(row[way] != "" for row in large)
    for word in ("vary", "raise") if "switched" in way else ("vary",):
        names = [row["operator"] for row in rows if word in row[way]]
        measured[f"{way}_{word}"] = len(names)
        measured[f"{way}_{word}_names"] = "; ".join(names)
        print(f"{way}, {word}:", *names)
