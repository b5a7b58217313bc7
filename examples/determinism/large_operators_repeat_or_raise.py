"""
Large operators repeat or raise
===============================

Do operators repeat in deterministic mode if their tensors fill the GPU? Samples of PyTorch's tests
grow here, in one dimension or as a batch, to four million numbers, and run forward and backward.
Operators have a budget, and processes a deadline: what was not tried is counted.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 150}
import json
import sys
import time
from subprocess import DEVNULL, PIPE, Popen

PROGRAM = """
import itertools, json, os, sys, threading, time, torch, unittest
from contextlib import suppress
from torch.utils._pytree import tree_leaves, tree_map_only
sys.modules["expecttest"] = unittest
from torch.testing._internal.common_methods_invocations import op_db
torch.testing._internal.common_utils.extract_test_fn = lambda: None  # searches all modules
torch.utils.deterministic.fill_uninitialized_memory = False
torch.cuda.set_per_process_memory_fraction(0.09), torch.set_num_threads(1)
now, wait = time.perf_counter, torch.cuda.synchronize  # which fails once the GPU has
UNCHECKED = "_", "native_batch", "torch.", "max_pool2d_with", "nn.functional.embedding_bag"
WAYS = [*itertools.product((0, -1, 1, "batch"), ((0, 1, 2), (1, 2), (0,)))]
tensors = lambda tree: [x for x in tree_leaves(tree) if isinstance(x, torch.Tensor)]
def grown(x, times, dim):
    y, dim = (x.detach()[None], 0) if dim == "batch" else (x.detach(), dim)
    if y.layout != torch.strided or y.dim() <= max(dim, 0):
        return x
    y = y.repeat_interleave(times, dim)
    if y.is_floating_point():
        factors = 1 - torch.rand(y.shape[dim], device="cuda") / 2
        y = (y.movedim(dim, -1) * factors.to(y.dtype)).movedim(-1, dim).contiguous()
    return y.requires_grad_(x.requires_grad)
def result(operator, tree):  # of copies, since some operators write to their inputs
    torch.manual_seed(0)
    x, args, kwargs = tree_map_only(torch.Tensor, torch.clone, tree)
    return operator(x, *args, **kwargs)
def largest(operator, samples, dim, places, until):
    best, size = (0, None), 0
    for sample, times in itertools.product(samples, [16**n for n in range(1, 6)]):
        size = size if times > 16 else 0  # of this sample, so far; none, if it cannot grow
        with suppress(Exception):
            if best[0] < LARGE and size is not None and now() < until:
                size, before, tree = None, size, [sample.input, sample.args, sample.kwargs]
                for n in places:
                    tree[n] = tree_map_only(torch.Tensor, lambda x: grown(x, times, dim), tree[n])
                begin = now()  # the first call may compile, and may take longer
                larger = max(x.numel() for x in tensors([tree, result(operator, tree)]))
                if larger > before and (times == 16 or not wait() and now() < begin + 0.1):
                    size, best = larger, max(best, (larger, tree), key=lambda one: one[0])
    return wait() or best
flat = lambda x: x.detach().to_dense().reshape(-1).resolve_conj().resolve_neg().contiguous()
bits = lambda tree: [flat(x).view(torch.uint8) for x in tensors(tree)]
def said(mode, way, operator, tree):
    torch.use_deterministic_algorithms(mode)
    with suppress(Exception):
        call = lambda: result(operator, tree)
        if way == "backward":
            outs, ins = ([x for x in tensors(t) if x.requires_grad] for t in (call(), tree))
            slopes = [torch.randn_like(x) for x in outs]
            call = lambda: torch.autograd.grad(outs, ins, slopes, True, allow_unused=True)
        first = bits(call())
        pairs = (pair for _ in range(RUNS - 1) for pair in zip(first, bits(call())))
        return "vary" if sum((a != b).any() for a, b in pairs) else "repeat"
    return wait() or "raise"
def examined(operator, row):
    samples, order = [], lambda kind: (kind != torch.float32, kind != torch.int64, str(kind))
    begin, found = now(), torch.use_deterministic_algorithms(False) or []
    with suppress(Exception):
        kind = min(operator.supported_dtypes("cuda"), key=order)
        learns = operator.supports_autograd and kind.is_floating_point
        samples += itertools.islice(operator.sample_inputs("cuda", kind, learns), SAMPLES)
    few = operator.full_name.startswith(UNCHECKED)  # else they read behind small tensors
    alone = not tensors([[one.args, one.kwargs] for one in samples])
    for way in WAYS[:1] if few else WAYS[:: 3 if alone else 1]:
        if sum(size >= LARGE for size, _ in found) < CALLS:
            found.append(largest(operator, samples, *way, begin + 0.8))
    row["numbers"] = max(size for size, _ in found)
    for tree in [tree for size, tree in found if size >= max(1, min(LARGE, row["numbers"]))]:
        row["tried"] = "partly" if now() > begin + 1.6 else row["tried"]
        for way in ("forward", "backward") if row["tried"] == "whole" else ():
            pair = [said(mode, way, operator, tree) for mode in (False, True)]
            for column, word in zip((way, way + "_switched"), pair):
                row[column] |= {word} if pair[0] != "raise" else set()
            if "raise" in pair: break
def tell(number, tried="missed", examine=lambda *_: None):
    row = {"operator": op_db[number].full_name, "tried": tried, "numbers": 0}
    examine(op_db[number], row := row | {column: set() for column in COLUMNS})
    line = json.dumps(row, default=lambda words: ", ".join(sorted(words)))
    print(os.linesep + line, flush=True)  # on a line of its own: kernels may print, too
numbers = range(int(sys.argv[2]), len(op_db), PARTS)
any(map(tell, numbers)) if numbers.start < PARTS else None
sys.excepthook = lambda *_: os.execv(*given)
for number in itertools.takewhile(lambda _: time.time() < float(sys.argv[1]), numbers):
    tell(number, "failed")
    given = sys.executable, [*sys.orig_argv[:-1], str(number + PARTS)]
    (timer := threading.Timer(8, os.execv, given)).start()
    tell(number, "whole", examined)
    timer.cancel()
"""
COLUMNS = "forward", "forward_switched", "backward", "backward_switched"
VALUES = SAMPLES, CALLS, RUNS, LARGE, PARTS = 8, 5, 8, 2**22, 10
GIVEN = f"SAMPLES, CALLS, RUNS, LARGE, PARTS, COLUMNS = {(*VALUES, COLUMNS)}\n"
start = [sys.executable, "-W", "ignore", "-c", GIVEN + PROGRAM, str(time.time() + 45)]
parts = [Popen([*start, str(n)], stdout=PIPE, stderr=DEVNULL) for n in range(PARTS)]
said = b"".join(part.communicate()[0] for part in parts).splitlines()
said = [json.loads(line) for line in said if line.startswith(b'{"operator"')]
rows = [row for _, row in sorted({row["operator"]: row for row in said}.items())]
measured = {"operators": len(rows), "runs": RUNS, "by_operator": {"table": rows}}
measured |= {"least_numbers": LARGE, "large": sum(r["numbers"] >= LARGE for r in rows)}
sets = [("tried", word) for word in ("partly", "failed", "missed")]
sets += [(way, "vary") for way in COLUMNS] + [(way, "raise") for way in COLUMNS[1::2]]
for column, word in sets:
    names = [row["operator"] for row in rows if word in row[column]]
    measured[f"{column}_{word}"] = len(names)
    measured[f"{column}_{word}_names"] = "; ".join(names) or "none"
    print(f"{column}, {word}:", *names)
