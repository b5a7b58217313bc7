"""Heading "Can one operation use tensors on two GPUs? No" and claim copy-is-the-exception
(copy_ as the exception; peer-access-does-not-mix-devices).

Attack: operators other than `+` with tensors of several elements (or lists) on two GPUs.

Refuted if any besides copy_ returns the right result without an error.
"""
import re

import torch
import torch.nn.parallel.comm

a = torch.arange(6.0, device="cuda:0") + 1
b = torch.arange(6.0, device="cuda:1") + 11
i0 = torch.tensor([4, 0, 2], device="cuda:0")
i1 = i0.to("cuda:1")
m1 = torch.tensor([1, 0, 1, 0, 1, 0], dtype=torch.bool, device="cuda:1")
table = torch.arange(12.0, device="cuda:0").view(6, 2)
nn = torch.nn.functional


def put(t, key, value):
    t[key] = value
    return t


def foreach_copy(t, value):
    torch._foreach_copy_([t], [value])
    return t


def shown(result):
    return re.sub(r",? *device='?[a-z]+:?\d*'?", "", str(result)).replace("\n", " ")


torch.zeros(1, device="cuda:0").to("cuda:1")  # peer access, both directions
torch.zeros(1, device="cuda:1").to("cuda:0")
TRIED = {
    "copy_ (control)": lambda: a.clone().copy_(b),
    "_foreach_copy_": lambda: foreach_copy(a.clone(), b),
    "setitem slice": lambda: put(a.clone(), slice(0, 3), b[:3]),
    "setitem index, value there": lambda: put(a.clone(), i0, b[:3]),
    "setitem index there": lambda: put(a.clone(), i1, a[:3]),
    "index_put_ accumulate, value there": lambda: a.clone().index_put_((i0,), b[:3], accumulate=True),
    "cat": lambda: torch.cat([a, b]),
    "stack": lambda: torch.stack([a, b]),
    "hstack": lambda: torch.hstack([a, b]),
    "where": lambda: torch.where(a > 2, a, b),
    "where condition there": lambda: torch.where(m1, a, a),
    "mul": lambda: a * b,
    "eq": lambda: a == b,
    "equal": lambda: torch.equal(a, b),
    "allclose": lambda: torch.allclose(a, b),
    "maximum": lambda: torch.maximum(a, b),
    "pow": lambda: a**b,
    "dot": lambda: a @ b,
    "matmul": lambda: table.T @ b,
    "outer": lambda: torch.outer(a, b),
    "addmm": lambda: torch.addmm(b[:2], table.T, table),
    "linear weight there": lambda: nn.linear(a, b.view(1, 6)),
    "embedding index there": lambda: nn.embedding(i1, table),
    "gather index there": lambda: a.gather(0, i1),
    "take index there": lambda: a.take(i1),
    "index_select there": lambda: a.index_select(0, i1),
    "scatter_ source there": lambda: a.clone().scatter_(0, i0, b[:3]),
    "scatter_ index there": lambda: a.clone().scatter_(0, i1, a[:3]),
    "index_add_ source there": lambda: a.clone().index_add_(0, i0, b[:3]),
    "index_copy_ source there": lambda: a.clone().index_copy_(0, i0, b[:3]),
    "masked_fill_ mask there": lambda: a.clone().masked_fill_(m1, 0),
    "masked_select mask there": lambda: a.masked_select(m1),
    "boolean index there": lambda: a[m1],
    "masked_scatter_ source there": lambda: a.clone().masked_scatter_(a > 3, b),
    "addcmul": lambda: torch.addcmul(a, a, b),
    "lerp": lambda: torch.lerp(a, b, 0.5),
    "_foreach_add": lambda: torch._foreach_add([a], [b]),
    "_foreach_add_ lists on both": lambda: torch._foreach_add([a, b], [a, b]),
    "_foreach_norm of both": lambda: torch._foreach_norm([a, b]),
    "cdist": lambda: torch.cdist(table, b.view(3, 2)),
    "bincount weights there": lambda: torch.bincount(i0, weights=b[:3]),
    "searchsorted": lambda: torch.searchsorted(a, b),
    "bucketize": lambda: torch.bucketize(b, a),
    "isin": lambda: torch.isin(a, b),
    "mse_loss": lambda: nn.mse_loss(a, b),
    "cross_entropy target there": lambda: nn.cross_entropy(table, torch.zeros(6, dtype=torch.long, device="cuda:1")),
    "layer_norm weight there": lambda: nn.layer_norm(a, (6,), b),
    "batch_norm stats there": lambda: nn.batch_norm(table, b[:2], b[:2].clone()),
    "prelu": lambda: nn.prelu(table, b[:2]),
    "grid_sample": lambda: nn.grid_sample(torch.ones(1, 1, 4, 4, device="cuda:0"), torch.zeros(1, 2, 2, 2, device="cuda:1")),
    "conv1d weight there": lambda: nn.conv1d(a.view(1, 1, 6), b[:3].view(1, 1, 3)),
    "repeat_interleave repeats there": lambda: a[:3].repeat_interleave(i1),
    "tensor_split": lambda: a.tensor_split(i1.sort().values),
    "nested_tensor": lambda: torch.nested.nested_tensor([a, b]),
    "block_diag": lambda: torch.block_diag(a, b),
    "cartesian_prod": lambda: torch.cartesian_prod(a, b),
    "broadcast_tensors": lambda: torch.broadcast_tensors(a, b),
    "expand_as": lambda: a[:1].expand_as(b),
    "type_as": lambda: a.type_as(b),
    "to(other)": lambda: a.to(b),
    "resize_as_": lambda: a.clone().resize_as_(b),
    "out= on CPU": lambda: torch.add(a, a, out=torch.empty(6)),
    "out= of index_select there": lambda: torch.index_select(a, 0, i0, out=torch.empty(3, device="cuda:1")),
    "out= of cat there": lambda: torch.cat([a, a], out=torch.empty(12, device="cuda:1")),
    "out= of matmul there": lambda: torch.matmul(table.T, table, out=torch.empty(2, 2, device="cuda:1")),
    "out= of sum there": lambda: torch.sum(a, 0, out=torch.empty((), device="cuda:1")),
    "comm.gather": lambda: torch.nn.parallel.comm.gather([a, b], destination=0),
    "nn.utils.clip_grad.get_total_norm": lambda: torch.nn.utils.get_total_norm([a, b]),
    "set data of a parameter": lambda: setattr(torch.nn.Parameter(a.clone()), "data", b),
}
accepted = []
for name, operation in TRIED.items():
    try:
        result = operation()
    except torch.cuda.OutOfMemoryError:
        raise
    except (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError) as error:
        if isinstance(error, getattr(torch, "AcceleratorError", ())):
            print(f"attack: peer-access-does-not-mix-devices: {name}: CRASHED the context", flush=True)
            raise
        result = f"{type(error).__name__}: {str(error).splitlines()[0]:.110}"
        print(f"attack: peer-access-does-not-mix-devices: {name}: {result}")
    else:
        torch.cuda.synchronize(0)
        torch.cuda.synchronize(1)
        text, there = shown(result), (b, i1, m1)
        b, i1, m1 = (t.to("cuda:0") for t in there)  # the same with all on one GPU
        truth = shown(operation())
        b, i1, m1 = there
        print(f"attack: peer-access-does-not-mix-devices: {name}: ACCEPTED, as on one GPU {text == truth}: {text:.120}", flush=True)
        accepted.append(name if text == truth else name + " (OTHER RESULT)")
# those that only take metadata of the second, or are Python over several operations, do not count
weak = {"copy_ (control)", "setitem slice", "_foreach_add_ lists on both", "_foreach_norm of both", "expand_as",
        "type_as", "to(other)", "resize_as_", "nn.utils.clip_grad.get_total_norm", "set data of a parameter"}
strong = [n for n in accepted if n not in weak]
word = "REFUTED" if strong else "NOT REFUTED"
print(f"verdict: {word} peer-access-does-not-mix-devices/copy-is-the-exception: accepted {'; '.join(strong) or 'none'}; also {'; '.join(n for n in accepted if n in weak)}")
