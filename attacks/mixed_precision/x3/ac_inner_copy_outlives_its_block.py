"""autocast.md: "The innermost block counts ... The end of a block restores what was before"; weight_cache.md: a block "whose
layer the outer block had not used" raised an error in 0 of 20, "the copies last until the outermost block ends".
Attack: the order turned round: the inner FP16 block uses the layer first, ends, and then the outer BF16 block uses it.
Also with enabled=False around, in evaluation (no_grad), for Conv2d, and the twin with cache_enabled=False in the inner block.
Refuted if the outer block, which works alone, raises or gives another type after the inner block has ended."""
import torch

dev = "cuda" if torch.cuda.is_available() else "cpu"
layers = {
    "Linear": (torch.nn.Linear(16, 16, device=dev), torch.randn(4, 16, device=dev)),
    "Conv2d": (torch.nn.Conv2d(8, 8, 3, device=dev), torch.randn(2, 8, 8, 8, device=dev)),
}


def outer_after_inner(layer, x, mode, inner=True, **options):
    with mode(), torch.autocast(dev, dtype=torch.bfloat16):
        if inner:
            with torch.autocast(dev, dtype=torch.float16, **options):
                layer(x)
        try:
            return str(layer(x).dtype)[6:]
        except RuntimeError as e:
            return f"raises {str(e)[:60]}"


bad = []
for name, (layer, x) in layers.items():
    for mode in (torch.enable_grad, torch.no_grad):
        alone = outer_after_inner(layer, x, mode, inner=False)
        after = outer_after_inner(layer, x, mode)
        uncached = outer_after_inner(layer, x, mode, cache_enabled=False)
        print(f"{name}, {mode.__name__}: outer alone {alone}; after an inner FP16 block {after}; inner without cache {uncached}")
        assert alone == "bfloat16"
        if after != alone:
            bad.append(f"{name} under {mode.__name__}: {after}")
print(f"REFUTED: the outer block gets the FP16 copy: {'; '.join(bad)}" if bad else "NOT REFUTED: Linear, Conv2d, grad and no_grad")
