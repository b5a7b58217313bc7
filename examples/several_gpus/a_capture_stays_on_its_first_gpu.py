"""
A capture stays on its first GPU
================================

Can the second GPU capture a CUDA graph? It can, if the capture gets a stream of that GPU. Without
one, ``torch.cuda.graph`` uses a stream that it made for the first capture of the process, on the
GPU of that time: work for another GPU is not captured.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 60}
import subprocess
import sys

import torch

gpu = torch.device("cuda", 1)
x = torch.zeros(4, device=gpu)
x += 1  # once before the capture, to load the kernel
torch.cuda.synchronize(gpu)

graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph, stream=torch.cuda.Stream(gpu)):
    x += 1
before = x[0].item()
graph.replay()
print(before, x[0].item())  # one more after the replay

# %%
# The cases below run in processes of their own, because the stream is kept for the whole process.
# How often did the replay of a graph add one to the tensor on the second GPU?

PROGRAM = """
import sys, warnings
import torch

case, gpu, TRIES = sys.argv[1], torch.device("cuda", 1), 10
warnings.simplefilter("ignore")  # an empty graph warns

def captured(device, stream=None):
    x = torch.zeros(4, device=device)
    x += 1
    torch.cuda.synchronize(device)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        x += 1
    before = x[0].item()
    graph.replay()
    torch.cuda.synchronize(device)
    return x[0].item() == before + 1

if case != "set_device at the start":
    captured(torch.device("cuda", 0))  # an earlier capture
if case != "nothing":
    torch.cuda.set_device(gpu)
stream = torch.cuda.Stream(gpu) if case == "a stream of the second GPU" else None
try:
    print("added", sum(captured(gpu, stream) for _ in range(TRIES)))
except Exception as error:
    print("error", type(error).__name__)
"""
CASES = ("nothing", "set_device after a capture", "set_device at the start")
CASES += ("a stream of the second GPU",)


def started(case):
    command = [sys.executable, "-c", PROGRAM, case]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


processes = {case: started(case) for case in CASES}
rows = []
for case, process in processes.items():
    said = process.communicate(timeout=50)[0].split()
    row = {"case": case, "added": int(said[1]) if said[0] == "added" else 0}
    row["error"] = said[1] if said[0] == "error" else "none"
    rows.append(row)
    print(row)

measured = {"tries": 10, "by_case": {"table": rows}}
