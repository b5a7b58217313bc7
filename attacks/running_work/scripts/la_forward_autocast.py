"""docs/devices/like_another.md: "Which tensors work in forward? Those that are where the input is, and of its data type" /
"Right: a tensor made from the input." (a-new-tensor-in-forward-works-everywhere)
Attack: under autocast (the result of a layer is half, new_zeros of the input is FP32), with an input of token numbers, and in bool.
Refuted if a forward that uses x.new_zeros raises, or is cut to the wrong data type, where one made from the layer's result works."""
import torch
from torch import nn

lin, cell = nn.Linear(8, 8).cuda(), nn.GRUCell(8, 8).cuda()
table = nn.Embedding(10, 8).cuda()
x, rows = torch.rand(4, 8, device="cuda"), torch.tensor([0, 2], device="cuda")
tokens = torch.tensor([1, 2, 3], device="cuda")


def fill_rows(x, like):
    y = lin(x)
    out = (x if like == "input" else y).new_zeros(4, 8)
    out[rows] = y[rows]
    return out


def scatter(x, like):
    y = lin(x)
    out = (x if like == "input" else y).new_zeros(4, 8)
    return out.index_add(0, rows, y[rows])


def hidden(tokens, like):
    embedded = table(tokens)
    start = (tokens if like == "input" else embedded).new_zeros(3, 8)
    return cell(embedded, start)


bad = []
for name, call, argument, cast in [
    ("fill rows, autocast", fill_rows, x, True), ("index_add, autocast", scatter, x, True),
    ("fill rows, plain", fill_rows, x, False), ("GRUCell of tokens", hidden, tokens, False),
]:
    said = {}
    for like in ("input", "result"):
        try:
            with torch.autocast("cuda", torch.float16, enabled=cast):
                said[like] = str(call(argument, like).dtype)
        except Exception as error:
            said[like] = f"{type(error).__name__}: {str(error)[:100]}"
    print(name, said)
    if "Error" in said["input"] and "Error" not in said["result"]:
        bad.append(f"{name}: {said['input']}")
print(f"REFUTED: a tensor made from the input fails: {bad}" if bad else "NOT REFUTED: tried autocast and token inputs")
