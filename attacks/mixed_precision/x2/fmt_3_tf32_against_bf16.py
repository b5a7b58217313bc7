"""
Page: docs/amp/formats.md (the head of the page)
Sentence: "TF32 changes no data type and needs neither autocast nor a scaler, but is slower" (than
BF16 autocast, which the page recommends: "Train in BF16 under autocast if your GPU supports it").

Attack: other sizes than a large matmul: training steps of small and middle models (batch 16 to 1024,
width 256 to 1024), where autocast's casts and launches cost more than the tensor cores gain, and a
block with LayerNorms. Same model and data, arms in turns and in both orders, steady state; also the
same steps as CUDA graphs, which take the host's part away.

Refuted if a training step in TF32 is at least 10 % faster than in BF16 autocast in one of these
settings (median of the rounds).
"""

import statistics
import time

import torch
from torch import nn

cuda = torch.cuda.is_available()
device = torch.device("cuda" if cuda else "cpu")
ROUNDS, CALLS = 5, 10


def sync():
    if cuda:
        torch.cuda.synchronize()


def make(width, layers, norm):
    torch.manual_seed(0)
    parts = []
    for _ in range(layers):
        parts += ([nn.LayerNorm(width)] if norm else []) + [nn.Linear(width, width), nn.GELU()]
    return nn.Sequential(*parts).to(device)


def make_step(width, layers, norm, batch, bf16):
    model = make(width, layers, norm)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    x = torch.randn(batch, width, device=device)

    def step():
        torch.backends.cuda.matmul.allow_tf32 = True
        optimizer.zero_grad()
        with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
            loss = model(x).float().square().mean()
        loss.backward()
        optimizer.step()

    return step


def captured(step):
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def seconds(step):
    sync()
    begin = time.perf_counter()
    for _ in range(CALLS):
        step()
    sync()
    return (time.perf_counter() - begin) / CALLS


faster = []
for width, layers, norm, batch in ((256, 8, False, 16), (1024, 8, False, 64), (256, 8, True, 1024), (1024, 4, False, 1024)):
    for graphed in (False, True) if cuda else (False,):
        steps = [make_step(width, layers, norm, batch, bf16) for bf16 in (False, True)]
        if graphed:
            steps = [captured(step) for step in steps]
        for step in steps * 2:
            seconds(step)
        ratios = []
        for turn in range(ROUNDS):
            if turn % 2:
                tf32, bf16 = seconds(steps[0]), seconds(steps[1])
            else:
                bf16, tf32 = seconds(steps[1]), seconds(steps[0])
            ratios.append(bf16 / tf32)
        ratio = statistics.median(ratios)
        print({"width": width, "layers": layers, "norm": norm, "batch": batch, "graph": graphed,
               "tf32_us": round(tf32 * 1e6, 1), "bf16_us": round(bf16 * 1e6, 1), "bf16_over_tf32": round(ratio, 3)})
        if ratio >= 1.10:
            faster.append(f"width {width}, batch {batch}{', LayerNorm' if norm else ''}{', graph' if graphed else ''}: BF16 takes {ratio:.2f} times as long")
if faster and cuda:
    print("REFUTED: TF32 is faster: " + "; ".join(faster))
else:
    print("NOT REFUTED: four models, eager and as graphs, TF32 never 10 % faster than BF16 autocast" + ("" if cuda else " (no GPU: nothing was tested)"))
