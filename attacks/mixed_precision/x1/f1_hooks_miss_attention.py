"""
Page: first_nan.md.
Sentence: "If the loss is NaN or infinite, put a hook on each layer: it names the first one whose result is
not finite." (and "They named the right layer for 8 of 8 places")
Attack: the page's own watch(), unchanged, on models built of nn modules alone: nn.TransformerEncoderLayer
with an overflow in the attention's in_proj or out_proj (out_proj is a layer that is never called; the attention
has a child and gets no hook), a module that has a parameter of its own beside its layers, a tied output
layer (F.linear with the embedding's weight), nn.MultiheadAttention alone, an LSTM, a shared layer that
is called twice, a loss that overflows behind the last layer.
Refuted if in the transformer layer (whose own layers each return one tensor) another layer is named than
the one whose weights were spoilt, or none.
"""
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


def watch(model):
    names = {module: name for name, module in model.named_modules()}

    def look(module, inputs, output):
        if not output.isfinite().all():
            weights = all(p.isfinite().all() for p in module.parameters())
            taken = all(x.isfinite().all() for x in inputs)
            cause = "its own" if weights and taken else "weights" if taken else "input"
            raise FloatingPointError(f"{names[module]}: {cause}")

    layers = (module for module in names if not [*module.children()])
    return [layer.register_forward_hook(look) for layer in layers]


class Owner(nn.Module):
    """Layers, and a parameter of its own that scales the result of the first."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(64))
        self.first, self.second = nn.Linear(64, 64), nn.Linear(64, 64)

    def forward(self, x):
        return self.second(self.first(x) * self.scale)


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.inner = nn.Embedding(50, 64), nn.Linear(64, 64)

    def forward(self, x):
        tokens = (x[..., 0].abs() * 10).long().clamp(max=49)
        return nn.functional.linear(self.inner(self.embedding(tokens)), self.embedding.weight)


def encoder():
    return nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True)


CASES = {
    "encoder, linear1": (encoder, lambda m: m.linear1.weight, "linear1"),
    "encoder, in_proj": (encoder, lambda m: m.self_attn.in_proj_weight, "self_attn"),
    "encoder, out_proj": (encoder, lambda m: m.self_attn.out_proj.weight, "self_attn.out_proj"),
    "encoder of two, out_proj": (lambda: nn.Sequential(encoder(), encoder()), lambda m: m[0].self_attn.out_proj.weight, "0.self_attn.out_proj"),
    "own parameter": (Owner, lambda m: m.scale, ""),
    "tied output layer": (Tied, lambda m: m.inner.weight, "inner"),
    "LSTM": (lambda: nn.Sequential(nn.Linear(64, 64), nn.LSTM(64, 64, batch_first=True)), lambda m: m[1].weight_ih_l0, "1"),
}
x = torch.randn(8, 10, 64, device=device)
rows = {}
for name, (make, spoilt, right) in CASES.items():
    for mistake in ("overflow", "NaN"):
        model = make().to(device)
        if mistake == "overflow":
            spoilt(model).data.mul_(1e6)
        else:
            spoilt(model).data.view(-1)[0] = torch.nan
        watch(model)
        try:
            with torch.autocast(device, torch.float16):
                result = model(x)
            result = result[0] if isinstance(result, tuple) else result
            said = "nothing, the result is " + ("finite" if result.isfinite().all() else "not finite")
        except FloatingPointError as error:
            said = str(error)
        except AttributeError as error:
            said = "AttributeError " + str(error)[:50]
        rows[name, mistake] = said
        print(f"{name}, {mistake}: wanted '{right}', said '{said}'")
wrong = {k: v for k, v in rows.items() if k[0].startswith("encoder") and "linear1" not in k[0] and v.partition(":")[0] != CASES[k[0]][2] and v != "nothing, the result is finite"}
if rows["encoder, linear1", "NaN"] != "linear1: weights":
    raise SystemExit("control failed")
if wrong:
    print(f"REFUTED: in nn.TransformerEncoderLayer the hooks named another layer than the spoilt one: {wrong}")
else:
    print("NOT REFUTED: the hooks named the spoilt layer of the attention")
