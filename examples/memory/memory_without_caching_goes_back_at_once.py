"""
Memory without caching goes back at once
========================================

What does ``PYTORCH_NO_CUDA_MEMORY_CACHING=1`` do? Every tensor is a call to the driver, and every
deletion, too, which waits for the GPU. PyTorch then counts nothing. No other value than 1 turns
caching off.
"""

# sphinx_gallery_evidence = {"processes": 3}
import json
import os
import subprocess
import sys

PROGRAM = """
import json, time, torch
input()  # until it is its turn

def used():
    free, total = torch.cuda.mem_get_info()
    return total - free

size = 256 * 2**20
torch.empty(1, device="cuda")
before = used()
x = torch.empty(size, dtype=torch.uint8, device="cuda")
alive = [torch.cuda.memory_allocated(), torch.cuda.memory_reserved(), used() - before]
del x
dead = [torch.cuda.memory_allocated(), torch.cuda.memory_reserved(), used() - before]

def empties(count):
    begin = time.perf_counter()
    for _ in range(count):
        torch.empty(2**20, dtype=torch.uint8, device="cuda")
    return (time.perf_counter() - begin) / count

empties(50)
each = [empties(100) for _ in range(5)]

# A deletion, behind some milliseconds of work.
blocked = []
for _ in range(5):
    y = torch.empty(2**20, dtype=torch.uint8, device="cuda")
    torch.cuda.synchronize()
    torch.cuda._sleep(50_000_000)
    end = torch.cuda.Event()
    end.record()
    del y
    blocked.append(end.query())
    torch.cuda.synchronize()

layers = [torch.nn.Sequential(torch.nn.Linear(512, 512), torch.nn.ReLU()) for _ in range(8)]
model = torch.nn.Sequential(*layers).to("cuda")
batch = torch.ones(256, 512, device="cuda")

def step():
    torch.cuda.synchronize()
    begin = time.perf_counter()
    model(batch).sum().backward()
    model.zero_grad()
    torch.cuda.synchronize()
    return time.perf_counter() - begin

until = time.perf_counter() + 0.3
while time.perf_counter() < until:
    step()
print(json.dumps([alive, dead, sorted(each)[2], sum(blocked)]), flush=True)
while input():  # asked again and again, it takes some steps each time
    print(sorted(step() for _ in range(20))[10], flush=True)
"""

# %%
# PyTorch reads the variable once, when it first needs memory, so that each program is started with
# a value of its own. All import PyTorch at once; then they take turns, since they are timed.

VALUES = {"unset": None, "1": "1", "0": "0", "True": "True"}


def start(value):
    environment = dict(os.environ)
    environment.pop("PYTORCH_NO_CUDA_MEMORY_CACHING", None)
    if value is not None:
        environment["PYTORCH_NO_CUDA_MEMORY_CACHING"] = value
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment, **pipes)


def ask(name):
    print("go", file=programs[name].stdin, flush=True)
    return json.loads(programs[name].stdout.readline())


programs = {name: start(value) for name, value in VALUES.items()}
answers = {name: ask(name) for name in programs}
table = []
for name, (alive, dead, _, blocked) in answers.items():
    row = {"value": name, "allocated_bytes": alive[0], "reserved_bytes": alive[1]}
    row |= {"used_bytes": {"samples": [alive[2]]}, "kept_bytes": dead[1]}
    row |= {"left_bytes": {"samples": [dead[2]]}, "waited": blocked}
    table.append(row)
    print(row)

# %%
# The price: of one tensor, made and deleted, and of a forward and a backward pass of small layers,
# for which the two programs take turns.

cached, uncached = answers["unset"], answers["1"]
slowdowns = [ask("1") / ask("unset") for _ in range(9)]
print(f"a step takes {min(slowdowns):.2f} to {max(slowdowns):.2f} times as long")
for program in programs.values():
    program.communicate("\n")
measured = {
    "values": {"table": table},
    "tries": 5,
    "empty_slowdown": {"samples": [uncached[2] / cached[2]]},
    "step_slowdown": {"samples": slowdowns},
}
