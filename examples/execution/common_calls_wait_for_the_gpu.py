"""
Common calls wait for the GPU
=============================

Which lines of a training script make the host wait? Each of these lines runs behind a kernel that
holds the stream, and in the sync debug mode. Lines that need a value or a size on the host wait.
"""

# sphinx_gallery_evidence = {"fresh": True}
import warnings
from functools import partial

import torch
from torch import nn

warnings.simplefilter("ignore")  # about the debug mode, and about anomaly detection
x, i = torch.rand(8, 8, device="cuda"), torch.tensor([2, 1], device="cuda")
one, mask, batch = x.sum(), x > 0.5, x.clone()
model, table = nn.Linear(8, 8).cuda(), nn.Embedding(8, 8, max_norm=1.0).cuda()
weights, target = list(model.parameters()), i.repeat(4)
loss = nn.functional.cross_entropy(model(batch), target)
loss.backward(retain_graph=True)
sgd, adam = (kind(weights, 0.1) for kind in (torch.optim.SGD, torch.optim.Adam))
fused = torch.optim.AdamW(weights, fused=True)
scaler = torch.amp.GradScaler("cuda")
scaler.scale(loss)  # creates the scale

# %%
# First, lines that use values, sizes and indices.

CALLS = """
item: one.item() | print: repr(one) | cpu: x.cpu() | to-cuda: torch.ones(8).to("cuda")
float: float(one) | format: f"{one:.2f}" | shape: f"{x.shape} {len(x)} {x.dtype}"
if: 1 if one > 0 else 0 | compare: one > 0 | builtin-max: max(x[0]) | builtin-in: 0.5 in x
loop: [row for row in x] | tolist: x.tolist() | equal: torch.equal(x, batch)
allclose: torch.allclose(x, x) | assert-close: torch.testing.assert_close(x, x)
assert-async: torch._assert_async(one > 0) | mask-assign: x[mask] = 0
mask-assign-tensor: x[mask] = x[mask] | where: torch.where(mask, x, 0)
where-indices: torch.where(mask) | index-number: x[i[0]] | index-tensor: x[i[:1]]
slice-tensor: x[: i[0]] | assign-number: x[0, 0] = 1 | assign-tensor: x[0, 0] = one
assign-row: x[0] = 1 | assign-slice: x[0, :1] = 1 | split: x[:3].split(i.tolist())
repeat: x[:2].repeat_interleave(i, 0) | selected-mean: x[mask].mean()
repeat-sized: x[:2].repeat_interleave(i, 0, output_size=3)
masked-mean: (x * mask).sum() / mask.sum()
"""

# %%
# Then lines that make tensors and random numbers, and the parts of a training step.

CALLS += """
scalar: x * 2.0 + 1 | host-scalar: x + torch.tensor(1.0)
full: torch.full((8,), 2.0, device="cuda") | fill-with-tensor: x.clone().fill_(one)
full-of-tensor: torch.full((8,), one, device="cuda") | new-tensor: x.new_tensor([1.0])
arange-to-tensor: torch.arange(i[0], device="cuda") | host-index: x[torch.tensor([0, 2])]
deepcopy: __import__("copy").deepcopy(model) | state-dict: model.state_dict()
load: model.load_state_dict({k: v.cpu() for k, v in model.state_dict().items()})
rand: torch.randn(8, 8, device="cuda") | seed: torch.cuda.manual_seed(0)
shuffle: x[torch.randperm(8, device="cuda")] | multinomial: torch.multinomial(x + 1, 1)
normal: torch.distributions.Normal(x, batch).rsample()
normal-number: torch.distributions.Normal(x, 1.0, validate_args=False).rsample()
normal-unchecked: torch.distributions.Normal(x, batch, validate_args=False).rsample()
normal-sample: torch.distributions.Normal(x, batch, validate_args=False).sample()
categorical: torch.distributions.Categorical(logits=x).sample()
categorical-unchecked: torch.distributions.Categorical(logits=x, validate_args=False).sample()
forward: model(x) | cross-entropy: nn.functional.cross_entropy(x, target)
autocast: with torch.autocast("cuda"): model(x) | embedding: nn.functional.embedding(i, x)
embedding-max-norm: table(i) | backward: loss.backward(retain_graph=True)
anomaly: with torch.autograd.detect_anomaly(): loss.backward(retain_graph=True)
clip: nn.utils.clip_grad_norm_(weights, 1.0) | sgd: sgd.step() | adam: adam.step()
clip-checked: nn.utils.clip_grad_norm_(weights, 1.0, error_if_nonfinite=True)
zero-grad: sgd.zero_grad(set_to_none=False) | compare-loss: loss < 1 | detach: loss.detach()
unscale: scaler.unscale_(sgd); scaler.update() | get-scale: scaler.get_scale()
scaler-fused: scaler.step(fused); scaler.update()
scaler-step: scaler.step(sgd); scaler.update()
"""

# %%
# A line that waits returns after the sleeping kernel that holds the stream (its function is private
# to PyTorch and may change). The debug mode can raise what it reports.

TRIES, HOLD = 3, 20_000_000  # cycles: about ten milliseconds
event = torch.cuda.Event()


def waited(run):
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    event.record()
    run()
    return event.query()


def reported(run):
    torch.cuda.set_sync_debug_mode("error")
    try:
        return bool(run())
    except RuntimeError as error:
        return "called a synchronizing CUDA operation" in str(error)
    finally:
        torch.cuda.set_sync_debug_mode("default")


# %%
# The first two runs of a line load kernels and allocate memory, and do not count.

rows = []
for part in filter(None, CALLS.replace("\n", " | ").split(" | ")):
    name, code = part.split(": ", 1)
    run = partial(exec, compile(code, name, "exec"), globals())
    run(), run()
    waits = sum(waited(run) for _ in range(TRIES))
    row = {"call": name, "code": code, "waited": waits}
    rows.append({**row, "reported": reported(run)})
    print(*rows[-1].values(), sep=" | ")

measured = {"tries": TRIES, "lines": len(rows), "by_call": {"table": rows}}
measured["agreed"] = sum((row["waited"] > 0) == row["reported"] for row in rows)
