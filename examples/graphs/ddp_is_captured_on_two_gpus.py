"""
DDP is captured on two GPUs
===========================

Does a captured step average the gradients of two GPUs? It does, if each rank took eleven steps
before: every replay gave the mean of both ranks' gradients, in one bucket or in several. With the
optimizer in the graph, the weights follow those of a plain model. After ten, the capture fails.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 180}
import json
import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

# %%
# This program runs once for each GPU. The module is made in the stream that captures.

PROGRAM = r"""
import copy, json, os, re, sys
import torch
import torch.distributed as dist

rank, case, REPLAYS = int(os.environ["RANK"]), sys.argv[1], 10
torch.cuda.set_device(device := torch.device("cuda", rank))
dist.init_process_group("nccl", device_id=device)
torch.manual_seed(0)
layers = [torch.nn.Linear(*size) for size in ((32, 64), (64, 64), (64, 64), (64, 1))]
model = torch.nn.Sequential(*layers).to(device)
plain = copy.deepcopy(model)  # without DDP
side, x = torch.cuda.Stream(), torch.randn(64, 32, device=device)
with_optimizer, kind = "optimizer" in case, {"fused": True, "capturable": True}
told, cap = {"error": "none", "right": 0}, 0.002 if "buckets" in case else 25  # MB

def backward(module, x):
    module.zero_grad()
    module(x).square().mean().backward()

def step(x):
    backward(ddp, x)
    optimizer.step() if with_optimizer else None

def weights(module):
    return torch.cat([p.detach().flatten() for p in module.parameters()])

def gradients(module):
    return torch.cat([p.grad.flatten() for p in module.parameters()])

def end(**more):
    print(json.dumps(told | more), flush=True)
    os._exit(0)  # a failed capture may leave a group that waits for ever
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    ddp = torch.nn.parallel.DistributedDataParallel(model, bucket_cap_mb=cap)
    optimizer = torch.optim.AdamW(model.parameters(), **kind)
    for _ in range(int(case.split()[0])):
        step(x)
torch.cuda.current_stream().wait_stream(side)
graph, log = torch.cuda.CUDAGraph(), ddp._get_ddp_logging_data()
told |= {"ranks_differ": 0, "buckets": len(log.get("rebuilt_bucket_sizes", "").split(","))}
try:
    with torch.cuda.graph(graph, stream=side):
        step(x)
except RuntimeError as error:
    name = re.findall(r"cudaError\w+", str(error.__context__ or error))
    end(error=(name or [str(error)])[0])
"""

# %%
# Each replay gets a new batch, another one on each rank. The wanted gradients are the mean of those
# of a plain copy for both; with the optimizer in the graph, the copy takes the same steps.

PROGRAM += """
plain.load_state_dict(model.state_dict())
other = torch.optim.AdamW(plain.parameters(), **kind)
other.load_state_dict(copy.deepcopy(optimizer.state_dict()))
start, limit = weights(plain), 1e-3 if with_optimizer else 1e-5
for seed in range(REPLAYS):
    torch.manual_seed(seed)
    batches, each = torch.randn(2, 64, 32, device=device), []
    x.copy_(batches[rank])
    graph.replay()
    for batch in batches:
        backward(plain, batch)
        each.append(gradients(plain))
    found, wanted = gradients(model), sum(each) / 2
    told["ranks_differ"] += ((each[0] - each[1]).norm() / wanted.norm() > 0.1).item()
    if with_optimizer:
        torch.nn.utils.vector_to_parameters(wanted, [p.grad for p in plain.parameters()])
        other.step()
        found, wanted = (weights(module) - start for module in (model, plain))
    told["right"] += ((found - wanted).norm() / wanted.norm() < limit).item()
end()
"""

# %%
# Each case has two processes of its own, since a failed capture spoils them.

CASES = ["11 steps", "10 steps", "11 steps, several buckets", "11 steps, optimizer"]


def told(case, port, rank):
    command = [sys.executable, "-c", PROGRAM, case]
    given = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": "2"}
    given |= {"RANK": rank, "NCCL_NVLS_ENABLE": "0"}  # no multicast over NVLink
    kind = {"env": os.environ | given, "stdout": subprocess.PIPE, "timeout": 80}
    return json.loads(subprocess.run(command, **kind).stdout)


with ExitStack() as held:  # free ports, all held until the last is found
    free = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in CASES]
    ports = [one.getsockname()[1] for one in free]
with ThreadPoolExecutor(2 * len(CASES)) as pool:
    ranks = [pool.map(told, CASES, ports, rank * len(CASES)) for rank in "01"]
    three = zip(CASES, *ranks)
    rows = [{"case": c, **a, "right_there": b["right"]} for c, a, b in three]
print(*rows, sep="\n")
measured = {"replays": 10, "by_case": {"table": rows}}
