"""
Backward keeps the cached copies
================================

Does autocast save memory without its weight cache? Not in training: the graph of the loss holds
the 16-bit copies of the weights until backward, with the cache or without.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
LAYERS, WIDTH = 8, 2048
model = torch.nn.Sequential(
    *(torch.nn.Linear(WIDTH, WIDTH, bias=False, device=device) for _ in range(LAYERS))
)
# Only the gradient of its input needs a layer's weight, and that of a batch is not wanted as a
# rule. The first layer here stands for one in the middle of a model, whose input wants a gradient.
batch = torch.randn(1, WIDTH, device=device, requires_grad=True)

# %%
# Memory in use at the end of the block and behind it, beyond what was in use before, as a share of
# the FP32 weights; then the same for a batch that wants no gradient. A CPU does not count it.


def allocated():
    return torch.cuda.memory_allocated() if device.type == "cuda" else 0


def held_shares(given=batch, **options):
    before = allocated()
    with torch.autocast(device.type, dtype=torch.bfloat16, **options):
        output = model(given)
        within = allocated() - before
    behind = allocated() - before
    del output
    weight_bytes = LAYERS * WIDTH * WIDTH * 4
    return within / weight_bytes, behind / weight_bytes


held_shares()  # the first product allocates a workspace, which stays
within, behind = held_shares()
_, uncached = held_shares(cache_enabled=False)
first_within, first_behind = held_shares(batch.detach())
measured = {
    "within_share": within,
    "behind_share": behind,
    "uncached_share": uncached,
    "layers": LAYERS,
    "first_within_share": first_within,
    "first_behind_share": first_behind,
}
print({name: f"{share:.1%}" for name, share in measured.items() if "share" in name})
