"""weight_cache.md: "In training, backward needs the copies: after the forward pass, they take [50 %] with the cache and [50 %]
without it; after the block, they still take [50 %]."
Attack: the weight of a layer is needed in backward only for the gradient of its input. The first layer's input, the batch,
needs none (as in the page's script). So count for chains of 1, 2 and 8 layers, with the batch requiring a gradient as twin;
and after backward, still in the block.
Refuted if without the cache, or after the block, the copies take less than 49 % of the weights while the cache takes 50 %."""
import torch

dev = "cuda" if torch.cuda.is_available() else "cpu"
WIDTH = 2048 if dev == "cuda" else 64
allocated = lambda: torch.cuda.memory_allocated() if dev == "cuda" else 0


def shares(layers, cache, leaf):
    model = torch.nn.Sequential(*(torch.nn.Linear(WIDTH, WIDTH, bias=False, device=dev) for _ in range(layers)))
    batch = torch.randn(1, WIDTH, device=dev, requires_grad=leaf)
    total = layers * WIDTH * WIDTH * 4
    before = allocated()
    with torch.autocast(dev, dtype=torch.bfloat16, cache_enabled=cache):
        output = model(batch)
        during = allocated() - before
    after = allocated() - before
    if dev == "cpu":  # what the first layer saves, on a machine without the counter
        print("  saved by the last node:", [n for n in dir(output.grad_fn) if n.startswith("_saved")],
              None if layers > 1 else getattr(output.grad_fn, "_saved_mat2", "no mat2") is not None)
    del output
    return during / total, after / total


shares(1, True, True)
bad = []
for layers in (1, 2, 8):
    for leaf in (False, True):
        (cached, cached_after), (uncached, uncached_after) = shares(layers, True, leaf), shares(layers, False, leaf)
        print(f"{layers} layers, batch requires a gradient {leaf}: with the cache {cached:.1%}, after the block {cached_after:.1%}; without the cache {uncached:.1%}, after {uncached_after:.1%}")
        if cached > 0.49 and min(uncached, cached_after) < 0.49:
            bad.append(f"{layers} layers: {cached:.0%} with the cache, {uncached:.0%} without, {cached_after:.0%} after the block")
print(f"REFUTED: {'; '.join(bad)}" if bad else "NOT REFUTED: 1, 2 and 8 layers")
