"""
Page: docs/amp/norms.md (the head; claims a-fitting-layer-norm-is-faster, a-fitting-rms-norm-is-much-faster)
Sentences: "the casts take time"; "Forward and backward of LayerNorm are [1.3 times or more] as fast in
the type of its BF16 input" (65536 rows of 2048), and the advice "If that matters, compute the norm in
the type of its input: cast its weights, and turn autocast off around it".

Attack: other sizes (64 rows of 512, 512 of 256, 4096 of 768, 16384 of 1024), forward alone under
no_grad, the norm as the module that the page shows (with its own `autocast(enabled=False)`), where
casting two weights costs launches as well. Both orders, in turns, steady state; then the same as CUDA
graphs, to tell the host's time from the GPU's.

Refuted if the fitting form of LayerNorm is slower (ratio below 0.97) in one of these sizes, as a
median of the rounds.
"""

import statistics
import time

import torch
from torch import nn
from torch.nn.functional import layer_norm

cuda = torch.cuda.is_available()
device = torch.device("cuda" if cuda else "cpu")
ROUNDS, CALLS = 7, 30 if cuda else 3


def in_the_type_of(x, norm):  # as on the page
    with torch.autocast(x.device.type, enabled=False):
        weight, bias = norm.weight.to(x.dtype), norm.bias.to(x.dtype)
        return layer_norm(x, norm.normalized_shape, weight, bias, norm.eps)


def sync():
    if cuda:
        torch.cuda.synchronize()


def seconds(call):
    sync()
    begin = time.perf_counter()
    for _ in range(CALLS):
        call()
    sync()
    return (time.perf_counter() - begin) / CALLS


def captured(call):
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return graph.replay


slower = []
for rows, width in ((64, 512), (512, 256), (4096, 768), (16384, 1024)):
    norm = nn.LayerNorm(width).to(device)
    x = torch.randn(rows, width, device=device).bfloat16().requires_grad_()
    upstream = torch.randn_like(x)

    def usual():
        with torch.autocast(device.type, torch.bfloat16):
            return norm(x).bfloat16()

    def fitting():
        with torch.autocast(device.type, torch.bfloat16):
            return in_the_type_of(x, norm)

    for backward in (True, False):
        def wrap(form):
            def call():
                if backward:
                    return torch.autograd.grad(form(), (x, norm.weight, norm.bias), upstream)
                with torch.no_grad():
                    return form()

            return call

        for graphed in (False, True) if cuda else (False,):
            calls = [wrap(usual), wrap(fitting)]
            if graphed:
                calls = [captured(call) for call in calls]
            for call in calls * 2:
                seconds(call)
            ratios = []
            for turn in range(ROUNDS):
                order = (0, 1) if turn % 2 else (1, 0)
                times = {i: seconds(calls[i]) for i in order}
                ratios.append(times[0] / times[1])
            ratio = statistics.median(ratios)
            print({"rows": rows, "width": width, "backward": backward, "graph": graphed,
                   "usual_us": round(times[0] * 1e6, 1), "fitting_us": round(times[1] * 1e6, 1), "speedup": round(ratio, 3)})
            if ratio < 0.97:
                slower.append(f"{rows} x {width}, {'with' if backward else 'no'} backward{', graph' if graphed else ''}: {ratio:.2f}")
if slower and cuda:
    print("REFUTED: the fitting LayerNorm is slower: " + "; ".join(slower))
else:
    print("NOT REFUTED: four sizes, forward and backward, eager and as graphs: the fitting form was never slower" + ("" if cuda else " (no GPU: nothing was tested)"))
