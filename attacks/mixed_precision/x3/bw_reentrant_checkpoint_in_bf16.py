"""backward.md: "With `use_reentrant=True`, checkpointing repeats the forward pass without autocast, so that its gradients are
those of FP32." (believed planted)
Attack: look at the types while it is repeated, and at the state of autocast, in a BF16 and an FP16 block, backward behind the
block and inside, for two layers; compare the gradients with those of FP32, and with those of the block without a checkpoint.
Refuted if the repeated pass is in 16 bits with autocast on, or the gradients are not those of FP32."""
import torch
from torch.utils.checkpoint import checkpoint

dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cuda.matmul.allow_tf32 = False
torch.manual_seed(0)
layers = [torch.nn.Linear(64, 64, device=dev) for _ in range(2)]
x = torch.randn(8, 64, device=dev)


def run(dtype, reentrant, inside=False):
    seen = []

    def part(layer, hidden):
        product = layer(hidden)
        seen.append((str(product.dtype)[6:], torch.is_autocast_enabled(dev)))
        return torch.nn.functional.gelu(product)

    leaf = x.clone().requires_grad_()
    hidden = leaf
    for layer in layers:
        layer.zero_grad()
    with torch.autocast(dev, dtype=dtype, enabled=dtype is not None):
        for layer in layers:
            call = lambda h, layer=layer: part(layer, h)
            hidden = checkpoint(call, hidden, use_reentrant=True) if reentrant else call(hidden)
        loss = hidden.float().square().mean()
        if inside:
            loss.backward()
    if not inside:
        loss.backward()
    return seen, [leaf.grad, *(p.grad for layer in layers for p in layer.parameters())]


_, full = run(None, False)
bad = []
for dtype in (torch.bfloat16, torch.float16):
    _, plain = run(dtype, False)
    for inside in (False, True):
        seen, gradients = run(dtype, True, inside)
        again = seen[2:]
        error = max(((g - f).norm() / f.norm()).item() for g, f in zip(gradients, full))
        as_block = sum(map(torch.equal, gradients, plain))
        print(f"{dtype}, backward {'inside' if inside else 'behind'}: repeated in {again}; furthest from FP32 {error:.1e}; bits of the block without checkpoints {as_block} of {len(plain)}")
        assert len(again) == 2
        if any(low != "float32" and on for low, on in again) and error > 1e-4:
            bad.append(f"{str(dtype)[6:]}: repeated in {again[0][0]} with autocast on, {error:.1e} from FP32")
print(f"REFUTED: {'; '.join(bad)}" if bad else "NOT REFUTED: two types, backward behind and inside")
