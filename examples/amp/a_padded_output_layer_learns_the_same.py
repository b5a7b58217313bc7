"""
A padded output layer learns the same
=====================================

How do I round the size of a vocabulary up to a multiple of 64? Give the output layer more
outputs and cut them off before the loss. The loss is the same up to rounding, and the weights of
the outputs that are cut off get a gradient of zero.
"""

# sphinx_gallery_quiet = "nothing"
import torch

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
torch.manual_seed(0)

VOCABULARY = 1001
rounded = -(-VOCABULARY // 64) * 64
head = torch.nn.Linear(256, rounded, device=device)
x = torch.randn(512, 256, device=device)
words = torch.randint(VOCABULARY, (512,), device=device)

with torch.autocast(device.type, dtype=torch.bfloat16):
    logits = head(x)[:, :VOCABULARY]  # the rest is used for nothing
    loss = torch.nn.functional.cross_entropy(logits, words)
loss.backward()
print(f"{rounded} outputs, loss {loss.item():.3f}")

# %%
# An output layer of just the right size, with the same weights, is the reference. Both take some
# steps on the same batch, in FP32, so that a difference would show.

STEPS = 20
first_weights = {
    name: value.detach().clone() for name, value in head.state_dict().items()
}


def train(outputs):
    layer = torch.nn.Linear(256, outputs, device=device)
    layer.load_state_dict({name: v[:outputs] for name, v in first_weights.items()})
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1, momentum=0.9)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(layer(x)[:, :VOCABULARY], words)
        loss.backward()
        optimizer.step()
    return loss.item(), layer.weight.detach()


exact_loss, exact_weight = train(VOCABULARY)
padded_loss, padded_weight = train(rounded)
used, unused = padded_weight.split([VOCABULARY, rounded - VOCABULARY])
moved = (exact_weight - first_weights["weight"][:VOCABULARY]).abs().max().item()
difference = (used - exact_weight).abs().max().item()
print(
    f"losses {exact_loss:.6f} and {padded_loss:.6f}; weights differ by {difference:.1g}"
)

# %%
# Weights differ if they do by more than a thousandth of the most that a weight has moved: less is
# rounding.

measured = {
    "vocabulary": VOCABULARY,
    "rounded": rounded,
    "unused_elements": head.weight[VOCABULARY:].numel(),
    "unused_gradients": head.weight.grad[VOCABULARY:].count_nonzero().item(),
    "unused_moved": (unused != first_weights["weight"][VOCABULARY:]).sum().item(),
    "used_elements": used.numel(),
    "used_differ": ((used - exact_weight).abs() > 1e-3 * moved).sum().item(),
    "exact_loss": exact_loss,
    "padded_loss": padded_loss,
}
