"""
A capture reads the autocast cache
==================================

Do replays see weights that are changed in place? Not if warm-up and capture share an autocast
block: the warm-up has cast the weights, and the capture reads these copies.
"""

# sphinx_gallery_quiet = "nothing"
from contextlib import nullcontext

import torch

# %%
# Three ways to capture. In the first, one block is around everything, as in a longer program.


def in_one_block(model, x, graph, dtype):
    with torch.autocast("cuda", dtype):
        model(x)  # the warm-up
        with torch.cuda.graph(graph):
            return model(x)


def in_a_block_of_its_own(model, x, graph, dtype):
    with torch.autocast("cuda", dtype):
        model(x)
    with torch.cuda.graph(graph), torch.autocast("cuda", dtype):
        return model(x)


def without_the_cache(model, x, graph, dtype):
    with torch.autocast("cuda", dtype, cache_enabled=False):
        model(x)
        with torch.cuda.graph(graph):
            return model(x)


# %%
# Weights and inputs are small whole numbers, which both types hold, so that the results are exact.
# Weights change in place: by ``load_state_dict``, or by a step of an optimizer.

TRIES, WIDTH = 20, 64


def whole(*shape):
    return torch.randint(-2, 3, shape, device="cuda").float()


def load(model, _):
    model.load_state_dict({n: whole(*p.shape) for n, p in model.named_parameters()})


def step(model, optimizer):
    for parameter in model.parameters():
        parameter.grad = parameter.detach() - whole(*parameter.shape)
    optimizer.step()


# %%
# A result is right if it is that of the new weights, computed after the replay and without the
# cache, and old if it is that of the weights of the capture.


def replays(capture, change, dtype, around):
    model = torch.nn.Linear(WIDTH, WIDTH).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 1.0)
    x, graph = whole(16, WIDTH), torch.cuda.CUDAGraph()
    load(model, optimizer)

    def wanted():
        with torch.no_grad(), torch.autocast("cuda", dtype, cache_enabled=False):
            return model(x)

    first, right, old = wanted(), 0, 0
    with around:
        y = capture(model, x, graph, dtype)
        for _ in range(TRIES):
            change(model, optimizer)
            graph.replay()
            right += torch.equal(y, wanted())
            old += torch.equal(y, first)
    return right, old


# %%
# The replays come after the block of the capture, or inside a longer block around it.

HALF, TYPES = torch.float16, (torch.float16, torch.bfloat16)
rows = []
for capture in (in_one_block, in_a_block_of_its_own, without_the_cache):
    for change in (load, step):
        right = [replays(capture, change, dtype, nullcontext())[0] for dtype in TYPES]
        case = f"{capture.__name__}, {change.__name__}"
        rows.append({"case": case, "fp16_right": right[0], "bf16_right": right[1]})
longer = replays(in_one_block, load, HALF, torch.autocast("cuda", HALF))
print(*rows, f"inside a longer block, right and old: {longer}", sep="\n")

measured = {
    "tries": TRIES,
    "by_case": {"table": rows},
    "longer_right": longer[0],
    "longer_old": longer[1],
}
