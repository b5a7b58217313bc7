"""
torchrun sets what a rank needs
===============================

How does a process learn which rank it is? ``torchrun`` starts one process per GPU and tells each
of them by environment variables. It also sets the number of threads, and how errors of NCCL are
handled. ``torch.distributed.launch`` is deprecated, and passes an argument besides.
"""

# sphinx_gallery_evidence = {"timeout": 120, "expected_warnings": [".*deprecated", "Attempting"]}
# sphinx_gallery_quiet = "nothing"
import os

import torch
import torch.distributed as dist

alone = {"RANK": "0", "LOCAL_RANK": "0", "WORLD_SIZE": "1"}  # a group of one
alone |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "0"}
os.environ |= alone | os.environ  # what torchrun has set stays
gpu = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
torch.cuda.set_device(gpu)
dist.init_process_group("nccl", device_id=gpu)

model = torch.nn.Linear(32, 1).to(gpu)
model = torch.nn.parallel.DistributedDataParallel(model)
model(torch.randn(64, 32, device=gpu)).sum().backward()
print(f"rank {dist.get_rank()} of {dist.get_world_size()} on {gpu}")
dist.destroy_process_group()

# %%
# This program tells what it was given, and takes part in a sum over all ranks. Nothing in it needs
# a GPU, so that two ranks run on any machine.

import json
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """
import json, os, sys
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
total = torch.tensor([dist.get_rank() + 1])
dist.all_reduce(total)
told = {name: os.environ.get(name, "not set") for name in NAMES}
told |= {"arguments": " ".join(sys.argv[1:]) or "none", "total": total.item()}
told["threads"] = torch.get_num_threads()
sys.stdout.write(json.dumps(told) + "\\n")  # in one piece
dist.destroy_process_group()
"""
NAMES = ["RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "MASTER_ADDR"]
NAMES += ["OMP_NUM_THREADS", "TORCH_NCCL_ASYNC_ERROR_HANDLING"]
folder = Path(tempfile.mkdtemp())
program = folder / "program.py"
program.write_text(f"NAMES = {NAMES}\n{PROGRAM}")
plain = {k: v for k, v in os.environ.items() if k not in {*NAMES, "MASTER_PORT"}}


def launched(*command, **variables):
    command = [sys.executable, *command, "--nproc-per-node", "2", str(program)]
    pipe = subprocess.PIPE
    given = plain | variables
    return subprocess.Popen(command, env=given, stdout=pipe, stderr=pipe, text=True)


run = ["-m", "torch.distributed.run", "--standalone"]  # what torchrun calls
old = ["-m", "torch.distributed.launch", "--standalone"]
started = {
    "torchrun": launched(*run),
    "torchrun, two threads": launched(*run, OMP_NUM_THREADS="2"),
    "torch.distributed.launch": launched(*old),
}
rows, warned = [], {}
for launcher, process in started.items():
    out, error = process.communicate(timeout=90)
    ranks = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    for rank in ranks:
        case = f"{launcher}, rank {rank['RANK']}"
        rows.append({"case": case, **rank, "ranks": len(ranks)})
    warned[launcher] = "torch.distributed.launch is deprecated" in error
    warned[f"{launcher}, threads"] = "Setting OMP_NUM_THREADS" in error
rows.sort(key=lambda row: row["case"])
print(*rows, sep="\n")

# %%
# Without a launcher, nobody has set the variables. What does the call say that needs them?

try:
    for name in alone:
        os.environ.pop(name, None)
    dist.init_process_group("gloo")
    unset = "initialised"
except ValueError as error:
    unset = error
print(unset)

measured = {
    "by_rank": {"table": rows},
    "launch_warned": warned["torch.distributed.launch"],
    "torchrun_warned": warned["torchrun"],
    "threads_warned": warned["torchrun, threads"],
    "threads_warned_when_set": warned["torchrun, two threads, threads"],
    "threads_here_are_more": torch.get_num_threads() > 1,
    "unset": unset,
}
