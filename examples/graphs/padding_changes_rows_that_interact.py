"""
Padding changes rows that interact
==================================

May a graph that was captured for a larger batch run a smaller one? Yes, if no row looks at another.
Where rows interact, the padding takes part, unless the graph gets a mask as another input.
"""

# sphinx_gallery_quiet = "nothing"
import torch

# %%
# A loss that is a mean divides by all rows, those of the padding included. With a mask as another
# input, it divides by the rows that count.

ROWS, SHORT, WIDTH, HEADS = 16, 10, 64, 4


def mean_loss(x, _mask):
    return (net(x) - x).square().mean()


def masked_loss(x, mask):
    losses = (net(x) - x).square().mean(1)
    return (losses * mask).sum() / mask.sum()


# %%
# Both give gradients. Further functions give a result for each row: some look at one row at a
# time, others at all of them.

torch.manual_seed(0)
net = torch.nn.Sequential(
    torch.nn.Linear(WIDTH, WIDTH), torch.nn.LayerNorm(WIDTH)
).cuda()
norm = torch.nn.BatchNorm1d(WIDTH).cuda()


def gradients(loss):
    return lambda x, mask: [
        gradient.flatten()
        for gradient in torch.autograd.grad(loss(x, mask), net[0].parameters())
    ]


def attention(x, mask=None):
    x = x.unflatten(1, (HEADS, -1)).transpose(0, 1)[None]
    y = torch.nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=mask)
    return y[0].transpose(0, 1).flatten(1)


CASES = {
    "Linear and LayerNorm": lambda x, _: net(x),
    "BatchNorm, training": lambda x, _: norm.train()(x),
    "BatchNorm, evaluation": lambda x, _: norm.eval()(x),
    "attention": lambda x, _: attention(x),
    "masked attention": lambda x, mask: attention(x, mask[None]),
    "mean loss": gradients(mean_loss),
    "masked loss": gradients(masked_loss),
}

# %%
# Each is captured for sixteen rows, and replayed for ten. The other rows hold zeros, or what an
# earlier batch has left. What is right is the result for ten rows alone, without a graph, in FP64.


def captured(function, *inputs):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        function(*inputs)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        output = function(*inputs)
    return graph, output


def error(case, dtype, is_zeroed):
    torch.manual_seed(0)
    for module in (net, norm):
        module.to(dtype)
    earlier, batch = 3 * torch.randn(ROWS, WIDTH), torch.randn(SHORT, WIDTH)
    static_input = earlier.to("cuda", dtype)
    mask = torch.ones(ROWS, dtype=torch.bool, device="cuda")
    graph, output = captured(CASES[case], static_input, mask)
    if is_zeroed:
        static_input.zero_()
    static_input[:SHORT].copy_(batch)
    mask[SHORT:] = False
    graph.replay()
    got = torch.cat(output) if "loss" in case else output[:SHORT]
    for module in (net, norm):
        module.double()
    right = CASES[case](batch.to("cuda", torch.float64), mask[:SHORT])
    right = torch.cat(right) if "loss" in case else right
    return ((got.double() - right).norm() / right.norm()).item()


table = []
for case in CASES:
    row = {"case": case, "zeros_error_share": error(case, torch.float32, True)}
    row["earlier_error_share"] = error(case, torch.float32, False)
    row["zeros_double_error_share"] = error(case, torch.float64, True)
    table.append(row)
    print(row)

# %%
# A mask multiplies by zero. A row of zeros that is divided by its norm is NaN, and stays NaN then.

UNIT = "masked loss of unit rows"
CASES[UNIT] = gradients(lambda x, m: masked_loss(x / x.norm(dim=1)[:, None], m))
unit_zeros, unit_earlier = (error(UNIT, torch.float32, zero) for zero in (True, False))
print(f"{UNIT}: {unit_zeros} with zeros, {unit_earlier} with earlier rows")

measured = {
    "by_case": {"table": table},
    "unit_rows_are_finite": unit_zeros == unit_zeros,
    "unit_rows_error_share": unit_earlier,
}
