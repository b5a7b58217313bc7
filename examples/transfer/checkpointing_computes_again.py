"""
Checkpointing computes again
============================

What does ``torch.utils.checkpoint.checkpoint`` save if nothing goes to the host? It
keeps only the input of each part of the model, and recomputes the rest when backward
needs it: the peak falls, at the cost of one more forward pass.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode

# %%
# Equal layers, each followed by ReLU. From forward to backward, each of them has to
# keep a tensor of the size of the batch.

LAYERS, WIDTH, BATCH = 8, 2048, 2048
pairs = [(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU()) for _ in range(LAYERS)]
net = torch.nn.Sequential(*(module for pair in pairs for module in pair)).cuda()
batch = torch.rand(BATCH, WIDTH, device="cuda")

# %%
# The same loss in three ways. Unless stated otherwise, a part is two layers with ReLU.

PART = 4


def parts(output, start, use_reentrant, length=PART):
    for first in range(start, len(net), length):
        part = net[first : first + length]
        output = checkpoint(part, output, use_reentrant=use_reentrant)
    return output.square().mean()


def plain():
    return net(batch).square().mean()


def recommended():
    return parts(batch, 0, use_reentrant=False)


# %%
# The old form computes no gradients for a part whose input requires none, such as a
# batch, so the first part runs without a checkpoint.


def reentrant():
    return parts(net[:PART](batch), PART, use_reentrant=True)


# %%
# The peak is what a step needs in addition to what exists before it: the model, its
# gradients and the batch. PyTorch also counts the operations of a step, exactly.


def step(way):
    net.zero_grad(set_to_none=False)
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    way().backward()
    return torch.cuda.max_memory_allocated() - before


def operations(way):
    with FlopCounterMode(display=False) as counter:
        way().backward()
    return counter.get_total_flops()


# %%
# A first step allocates the gradients. Those of each way are kept for a bit-by-bit
# comparison.

step(plain)
peaks, gradients = {}, {}
for way in (plain, recommended, reentrant):
    peaks[way] = step(way)
    gradients[way] = [parameter.grad.clone() for parameter in net.parameters()]

# %%
# Shares are relative to the plain step.

table = []
for way, peak in peaks.items():
    share, work = peak / peaks[plain], operations(way) / operations(plain)
    same = all(torch.equal(*pair) for pair in zip(gradients[way], gradients[plain]))
    row = {"way": way.__name__, "peak_bytes": peak, "same_gradients": same}
    table.append(row | {"peak_share": share, "work": work})
    print(f"{way.__name__:>11}: peak {peak >> 20} MiB, {share:.0%}; {work:.2f} times")

# %%
# How many layers should a part cover?

lengths = []
for layers in (1, 2, 4, 8):
    peak = step(lambda layers=layers: parts(batch, 0, False, 2 * layers))
    lengths.append({"layers": layers, "peak_share": peak / peaks[plain]})
    print(f"parts of {layers} layers: {peak / peaks[plain]:.0%}")

# %%
# Nothing here is timed, as memory and operations are the same in each step.

measured = {"by_way": {"table": table}, "by_length": {"table": lengths}}
