"""
Told models and losses do not wait
==================================

Why does a step wait although nothing in it asks for a value? An encoder looks whether its mask is
causal, and a weighted, smoothed mean loss looks for values to leave out. Arguments spare them both.
"""

# sphinx_gallery_evidence = {"processes": 1}
import torch
from torch import nn
from torch.nn.functional import cross_entropy

layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0)
encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False).cuda()
causal_mask = nn.Transformer.generate_square_subsequent_mask(8, device="cuda")
tokens = torch.randn(8, 4, 16, device="cuda")
target = torch.arange(32, device="cuda") % 16
weight = torch.linspace(0.5, 1.5, 16, device="cuda")
print(encoder(tokens, mask=causal_mask, is_causal=True).shape)

# %%
# Wrong: nobody tells the encoder that the mask is causal, nor the loss what to divide by.


def step_that_asks():
    logits = encoder(tokens, mask=causal_mask).flatten(0, 1)
    return cross_entropy(logits, target, weight, label_smoothing=0.1)


# %%
# Right: the encoder is told, and the sum is divided by the weights of the targets. (If some targets
# are to be ignored, leave their weights out.)


def step_that_is_told():
    logits = encoder(tokens, mask=causal_mask, is_causal=True).flatten(0, 1)
    loss = cross_entropy(logits, target, weight, label_smoothing=0.1, reduction="sum")
    return loss / weight[target].sum()  # no target may be ignore_index


# %%
# A step that waits returns after the sleeping kernel that holds the stream (its function is private
# to PyTorch and may change). The last sleep is longer, because a slow step may outlast a short one.
# The first two runs load kernels and allocate memory, and do not count.

import math

HOLDS = 40_000_000, 40_000_000, 120_000_000  # cycles: from about twenty milliseconds on
event = torch.cuda.Event()


def waited(step, cycles):
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    event.record()
    step()
    return event.query()


counts, losses = {}, []
for step in (step_that_asks, step_that_is_told):
    step(), step()
    counts[step.__name__] = sum(waited(step, cycles) for cycles in HOLDS)
    losses.append(step().item())
print(counts, losses)

measured = {
    "tries": len(HOLDS),
    "asking_waited": counts["step_that_asks"],
    "told_waited": counts["step_that_is_told"],
    "losses_agree": math.isclose(*losses, rel_tol=1e-5),
}
