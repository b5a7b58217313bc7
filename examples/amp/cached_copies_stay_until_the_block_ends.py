"""
Cached copies stay until the block ends
=======================================

What does the weight cache of autocast cost? In evaluation, the 16-bit copies of all layers stay
until the block ends, half as large as the weights. In training, backward needs them anyway.
"""

import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
LAYERS, WIDTH = 8, 2048
model = torch.nn.Sequential(
    *(torch.nn.Linear(WIDTH, WIDTH, bias=False, device=device) for _ in range(LAYERS))
)
batch = torch.randn(1, WIDTH, device=device)
weight_bytes = LAYERS * WIDTH * WIDTH * 4

# %%
# Memory in use after the forward pass, and after the block, beyond what was in use before. A
# CPU does not count it.


def allocated():
    return torch.cuda.memory_allocated() if device.type == "cuda" else 0


def held_shares(mode, **options):
    before = allocated()
    with mode(), torch.autocast(device.type, dtype=torch.bfloat16, **options):
        output = model(batch)
        during = allocated() - before
    after = allocated() - before
    del output
    return during / weight_bytes, after / weight_bytes


held_shares(torch.no_grad)  # the first product allocates a workspace, which stays
evaluation, evaluation_after = held_shares(torch.no_grad)
evaluation_uncached, _ = held_shares(torch.no_grad, cache_enabled=False)
print(f"evaluation: {evaluation:.1%} of the weights, without {evaluation_uncached:.1%}")

# %%
# In training, the graph of the loss holds the copies, also after the block.

training, training_after = held_shares(torch.enable_grad)
training_uncached, _ = held_shares(torch.enable_grad, cache_enabled=False)
print(f"training: {training:.1%} of the weights, without {training_uncached:.1%}")
measured = {
    "evaluation_share": evaluation,
    "evaluation_after_share": evaluation_after,
    "evaluation_uncached_share": evaluation_uncached,
    "training_share": training,
    "training_after_share": training_after,
    "training_uncached_share": training_uncached,
}
