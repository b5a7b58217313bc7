"""
A failed backward leaves gradients
==================================

Is a step that ran out of memory in backward as if it had never begun? Layers that backward has
passed keep their gradients. A retry adds to them, unless the gradients are dropped first.
"""

# sphinx_gallery_quiet = "nothing"
import copy

import torch

# %%
# Four layers. In the middle of backward, a hook asks for more memory than any GPU has. Where memory
# is short, a large layer does the same.

TRIES, ROWS, WIDTH = 10, 64, 128
device = torch.accelerator.current_accelerator(check_available=True)
device = device or torch.device("cpu")
torch.manual_seed(0)
with device:
    model = torch.nn.Sequential(*(torch.nn.Linear(WIDTH, WIDTH) for _ in range(4)))
    batch = torch.randn(ROWS, WIDTH)


def run_out(_gradient):
    torch.empty(2**50, dtype=torch.uint8, device=device)


def backward(model, failing=False):
    x = model[:2](batch)
    if failing:
        x.register_hook(run_out)
    model[2:](x).square().mean().backward()


expected = copy.deepcopy(model)
backward(expected)

# %%
# The retry succeeds in both ways. Which gradients are those of one step?


def trial(dropped):
    tried = copy.deepcopy(model)
    try:
        backward(tried, failing=True)
    except RuntimeError as error:
        failed = "memory" in str(error)
    left = sum(weight.grad is not None for weight in tried.parameters())
    if dropped:
        tried.zero_grad()
    backward(tried)
    pairs = zip(tried.parameters(), expected.parameters(), strict=True)
    wrong = sum(not torch.allclose(one.grad, two.grad) for one, two in pairs)
    doubled = torch.allclose(tried[3].weight.grad, 2 * expected[3].weight.grad)
    return failed, left, wrong, doubled


kept = [trial(dropped=False) for _ in range(TRIES)]
dropped = [trial(dropped=True) for _ in range(TRIES)]
print(kept[0], dropped[0])

# %%
# Of eight parameters, the last layers' four have a gradient after the failure.

measured = {
    "tries": TRIES,
    "failed": sum(trial[0] for trial in kept),
    "parameters": len([*model.parameters()]),
    "left": sorted({trial[1] for trial in kept})[-1],
    "kept_wrong": sum(trial[2] > 0 for trial in kept),
    "kept_doubled": sum(trial[3] for trial in kept),
    "dropped_wrong": sum(trial[2] > 0 for trial in dropped),
}
