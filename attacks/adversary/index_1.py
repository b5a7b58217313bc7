"""index.md, line 18.
Sentence: Errors on the GPU are reported late. `CUDA_LAUNCH_BLOCKING=1` names the line that caused one.
Attack: An index out of range in a CUDA graph's replay, and in backward (a gradient hook's index): which line does the traceback name with CUDA_LAUNCH_BLOCKING=1?
Expect: For backward it names the line of backward(); for a replay it names the replay or a later line, not the operation.
Refuted if: with CUDA_LAUNCH_BLOCKING=1 the traceback of the error in the graph's replay names a line behind the replay
"""
import json, time
import torch

SENTENCE = 'Errors on the GPU are reported late. `CUDA_LAUNCH_BLOCKING=1` names the line that caused one.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

import os
import re
import subprocess
import sys

GRAPH = """
import torch
x = torch.arange(10., device="cuda")
i = torch.zeros(4, dtype=torch.long, device="cuda")
x[i]
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    y = x[i]
i.fill_(1000)
graph.replay()  # line 11
z = y + 1  # line 12
print(z.sum().item())  # line 13
"""
BACKWARD = """
import torch
x = torch.ones(10, device="cuda", requires_grad=True)
class Late(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, grad):
        bad = torch.full((4,), 1000, device="cuda")
        return grad[bad].sum().expand(10)  # line 11
y = Late.apply(x)
y.sum().backward()  # line 13
torch.cuda.synchronize()
"""


def main():
    rows = {}
    running = {name: subprocess.Popen([sys.executable, "-c", text], env=os.environ | {"CUDA_LAUNCH_BLOCKING": "1"}, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for name, text in {"graph": GRAPH, "backward": BACKWARD}.items()}
    for name, process in running.items():
        text = process.communicate(timeout=60)[1]
        rows[name] = [int(n) for n in re.findall(r'File "<string>", line (\d+)', text)]
        rows[name + "_last"] = next((l[:120] for l in text.splitlines() if "Error" in l), "")
    return bool(rows["graph"]) and rows["graph"][-1] > 11, rows


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
