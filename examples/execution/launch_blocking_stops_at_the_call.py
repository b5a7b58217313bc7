"""
Launch blocking stops at the call
=================================

Where does the traceback end if your code does not launch the failing kernel itself? With
``CUDA_LAUNCH_BLOCKING=1``, it ends at ``backward()``, at ``replay()`` or in the compiled
function. For ``backward()``, anomaly mode also prints a line of the forward pass.
"""

# sphinx_gallery_evidence = {"timeout": 120}
import json
import os
import subprocess
import sys

# %%
# Each case looks up a number that does not exist. In the backward pass, only the gradient of the
# lookup fails: ``.data`` changes the index after the forward pass, unseen by autograd. In the case
# "lost", the lookup itself has failed, and the host learns of it during the backward pass.

PROGRAM = """
import json, re, sys, traceback, warnings
import torch

case, device = sys.argv[1], "cuda"
numbers = torch.arange(4.0, device=device, requires_grad="backward" in case)
inside, outside, index = torch.tensor([[3], [9], [3]], device=device)

class LookUp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, numbers, index):
        ctx.index = index
        return numbers.gather(0, index)
    @staticmethod
    def backward(ctx, gradient):
        return torch.zeros(4, device=device).scatter_add(0, ctx.index, gradient), None

def look_up(index):
    found = numbers.gather(0, index)
    return found + 1

def train(wanted):
    index.data.copy_(wanted if "lost" in case else inside)
    found = LookUp.apply(numbers, index) if "own" in case else look_up(index)
    index.data.copy_(wanted)
    found.backward()
    return numbers.grad
"""

# %%
# A captured graph and a compiled function do the same lookup.

PROGRAM += """
compiled = torch.compile(look_up)
graph, warmed_up = torch.cuda.CUDAGraph(), look_up(index)
if case == "graph":
    with torch.cuda.graph(graph):
        larger = look_up(index)

def replay(wanted):
    index.copy_(wanted)
    graph.replay()
    return larger

def run(wanted):
    torch.cuda._sleep(400_000_000)
    way = {"forward": look_up, "graph": replay, "compiled": compiled}.get(case, train)
    return way(wanted).sum().item()
"""

# %%
# A right run comes first, and loads what it needs. A kernel that only sleeps keeps the GPU busy
# (it is private to PyTorch and may change). The program reports the last of its lines in the
# traceback, the last in the warning of anomaly mode, and the generated kernel in the traceback.

PROGRAM += """
raised, lines = "", r'File "<string>", line (\\d+), in (?!launcher)'
torch.autograd.set_detect_anomaly("anomaly" in case)
run(inside)
with warnings.catch_warnings(record=True) as caught:
    try:
        run(outside)
    except RuntimeError:
        raised = traceback.format_exc()
warned = "".join(str(one.message) for one in caught if "forward call" in str(one.message))
last = [int([0, *re.findall(lines, text)][-1]) for text in (raised, warned)]
kernels = re.findall(r"(?:triton|cpp)_\\w*fused_\\w+", raised)
print(json.dumps([*last, [*kernels, "none"][0]]), flush=True)
"""

# %%
# After the error, a process cannot use the GPU, so each case has its own: one without the variable
# and one with it, all at once. The lines without the variable are called late.

CASES = "forward", "backward", "backward, anomaly", "own backward", "graph", "compiled"
CASES += ("lost, backward, anomaly",)


def start(case, blocking):
    command, pipe = [sys.executable, "-c", PROGRAM, case], subprocess.PIPE
    env = os.environ | {"CUDA_LAUNCH_BLOCKING": blocking, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, env=env, stdout=pipe, stderr=pipe, text=True)


def found(process):
    output, errors = process.communicate()
    assert output, errors[-2000:]
    *numbers, kernel = json.loads(output.splitlines()[-1])
    return *(["none", *PROGRAM.splitlines()][n].strip() for n in numbers), kernel


started = {case: [start(case, blocking) for blocking in "01"] for case in CASES}
rows = []
for case, processes in started.items():
    (late, late_forward, _), (named, forward, kernel) = map(found, processes)
    row = {"case": case, "late": late, "named": named, "kernel": kernel}
    rows.append({**row, "forward": forward, "late_forward": late_forward})
    print("\n    ".join(rows[-1].values()))

measured = {"by_case": {"table": rows}}
