"""
A bias does not free a row from its batch
=========================================

Does a linear layer with a bias give a row the same bits in any batch? It does not: it takes other
kernels, which the shape chooses, too. In sums, and in backward of softmax, the place of a row in
memory matters where rows have an odd width.
"""

# %%
# The first row of a layer with a bias, computed with other rows and with fewer of them.

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn import functional

torch.manual_seed(0)
x, weight = torch.randn(2, 4096, 4096, device="cuda")
bias = torch.randn(4096, device="cuda")
full = functional.linear(x, weight, bias)

for rows in (1, 16, 256, 4096):
    first = functional.linear(x[:rows], weight, bias)[0]
    print(rows, torch.equal(first, full[0]), (first - full[0]).abs().max().item())

# %%
# Batches of 1 to 4,096 rows, with and without a bias, and with one that is added afterwards. Do
# the first row's bits differ from those in the largest batch? A second run gives the same bits, or
# the comparison would say nothing.

BATCHES = [*range(1, 65), *range(96, 1024, 32), *range(1024, 4097, 512)]
TYPES = {"FP32": torch.float32, "BF16": torch.bfloat16, "FP16": torch.half}
FORMS = "without a bias", "with a bias", "a bias afterwards"


def layer(form, a, w, b):
    if form == "with a bias":
        return functional.linear(a, w, b)
    result = functional.linear(a, w)
    return result + b if form == "a bias afterwards" else result


def batches(name, form):
    a, w, b = (t.to(TYPES[name]) for t in (x, weight, bias))
    results = [layer(form, a[:n], w, b)[0] for n in BATCHES]
    again = [layer(form, a[:n], w, b)[0] for n in BATCHES]
    row = {"case": f"{name}, {form}"}
    row["changed"] = sum(not torch.equal(one, results[-1]) for one in results)
    kept = {one.cpu().view(torch.uint8).numpy().tobytes() for one in results}
    row["distinct"] = len(kept)
    row["unsteady"] = sum(not torch.equal(*pair) for pair in zip(results, again))
    added = [functional.linear(a[:n], w)[0] + b for n in BATCHES]
    row["added"] = sum(torch.equal(*pair) for pair in zip(results, added))
    return row


rows = [batches(name, form) for name in TYPES for form in FORMS]
print(*rows, sep="\n")

# %%
# The same row, many times below itself: with an odd width, its copies begin at other places among
# the numbers that a kernel may load at once. How many copies differ from the first? And how many
# rows of a batch differ from the same row alone?

WIDTHS, COPIES = (1000, 1001, 1023, 1024, 1025, 4095, 4096, 4097, 32001), 64
CALLS = {
    "softmax": lambda t: t.softmax(-1),
    "log_softmax": lambda t: t.log_softmax(-1),
    "layer_norm": lambda t: functional.layer_norm(t, t.shape[-1:]),
    "rms_norm": lambda t: functional.rms_norm(t, t.shape[-1:]),
    "sum": lambda t: t.sum(-1, keepdim=True),
    "logsumexp": lambda t: t.logsumexp(-1, keepdim=True),
}


def gradient(function, t):
    t = t.detach().requires_grad_()
    y = function(t)
    slopes = torch.linspace(-1, 2, y.shape[-1], device="cuda").expand(y.shape)
    return torch.autograd.grad(y, t, slopes.to(y.dtype))[0]


def places(name, dtype, width):
    torch.manual_seed(0)
    row = torch.randn(1, width, device="cuda").to(dtype)
    kind = str(dtype).removeprefix("torch.")
    # fmt: off
    found = {"case": f"{name}, {kind}, {width}", "call": name, "width": width, "type": kind}
    # fmt: on
    ways = {"forward": CALLS[name], "backward": lambda t: gradient(CALLS[name], t)}
    for way, function in ways.items():
        many, alone = function(row.repeat(COPIES, 1)), function(row)
        found[f"{way}_copies"] = (many != many[0]).any(-1).sum().item()
        found[f"{way}_alone"] = (many != alone).any(-1).sum().item()
    return found


KINDS = (torch.float32, torch.bfloat16)
table = [places(name, kind, n) for name in CALLS for kind in KINDS for n in WIDTHS]
by_call = []
for name in CALLS:
    these = [row for row in table if row["call"] == name]
    row = {"call": name, "cases": len(these)}
    for way in "forward", "backward":
        for part in "copies", "alone":
            row[f"{way}_{part}"] = sum(one[f"{way}_{part}"] > 0 for one in these)
    row["even_widths"] = sum(
        one["forward_copies"] + one["backward_copies"] > 0
        for one in these
        if one["width"] % 8 == 0
    )
    by_call.append(row)
    print(row)
measured = {"batches": len(BATCHES), "copies": COPIES, "by_form": {"table": rows}}
measured |= {"by_call": {"table": by_call}, "by_width": {"table": table}}
