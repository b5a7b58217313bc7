"""weight_cache.md: "Autocast casts each weight once per block and keeps the copy until the outermost block ends."
Attack: torch.nn.GRU and torch.nn.LSTM (the page's own remedy), which cuDNN runs: a weight that is changed in place in the
block (under no_grad) is seen at the next call if it is cast again, and not seen if the copy is kept (as for Linear). Also
the number of copies for one and for three calls in a block.
Refuted if the recurrent layer casts its weights at each call."""
import torch
from torch.profiler import ProfilerActivity, profile

dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
x = torch.randn(4, 2, 16, device=dev, dtype=torch.bfloat16)
parts = {
    "Linear": torch.nn.Linear(16, 16, device=dev),
    "GRU": torch.nn.GRU(16, 16, device=dev),
    "LSTM": torch.nn.LSTM(16, 16, device=dev),
}


def copies(layer, calls):
    with profile(activities=[ProfilerActivity.CPU], acc_events=True) as p:
        with torch.autocast(dev, dtype=torch.bfloat16):
            for _ in range(calls):
                layer(x)
    return sum(e.name == "aten::copy_" for e in p.events())


def sees_a_change(layer):
    first = lambda r: (r[0] if isinstance(r, tuple) else r).float()
    with torch.no_grad(), torch.autocast(dev, dtype=torch.bfloat16):
        before = first(layer(x))
        for parameter in layer.parameters():
            parameter.mul_(2)
        after = first(layer(x))
        for parameter in layer.parameters():
            parameter.mul_(0.5)
    return not torch.equal(before, after)


bad = []
for name, layer in parts.items():
    one, three, seen = copies(layer, 1), copies(layer, 3), sees_a_change(layer)
    print(f"{name}: copies in a block with one call {one}, with three {three}; a change in place is seen: {seen}")
    if name == "Linear":
        assert not seen
    elif seen:
        bad.append(f"{name} ({one} copies for one call, {three} for three)")
print(f"REFUTED: cast at each call: {'; '.join(bad)}" if bad else "NOT REFUTED: GRU and LSTM keep their copies")
