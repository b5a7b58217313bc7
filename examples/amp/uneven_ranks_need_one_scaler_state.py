"""
Uneven ranks need one scaler state
==================================

Can the scalers of DDP ranks come apart? They can where ranks call ``update()`` a different number
of times: under ``join()``, a rank with more batches may double its scale alone. From then on the
ranks average gradients of different scales, and their weights come apart. Share the state.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
# sphinx_gallery_quiet = "nothing"
import json
import os
import socket
import subprocess
import sys

# %%
# This program runs once for each GPU, with the variables that ``torchrun`` sets.

PROGRAM = """
import json, os
import torch
import torch.distributed as dist

found = torch.accelerator.current_accelerator(check_available=True)
rank = int(os.environ["RANK"])
device = torch.device("cuda", rank) if found else torch.device("cpu")
if found:
    torch.cuda.set_device(rank)
dist.init_process_group("nccl" if found else "gloo")

UNEVEN, EVEN = [4, 2], 10  # batches of each rank, and of both

def train(model, optimizer, scaler, step):
    torch.manual_seed(100 * step + rank)
    x = torch.randn(64, 32).to(device)
    optimizer.zero_grad()
    with torch.autocast(device.type, torch.float16):
        loss = model(x).square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()

def share_state(scaler):
    state = [scaler.state_dict()]
    dist.broadcast_object_list(state, src=0, device=device)
    scaler.load_state_dict(state[0])
"""

# %%
# First the ranks have different numbers of batches, then equal ones. How often do the weights of
# the ranks differ after one of the later steps?

PROGRAM += """
def differing(shared):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.Linear(64, 1))
    model = torch.nn.parallel.DistributedDataParallel(model.to(device))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    scaler = torch.amp.GradScaler(device.type, 1024.0, growth_interval=4)
    with model.join():
        for step in range(UNEVEN[rank]):
            train(model, optimizer, scaler, step)
    if shared:
        share_state(scaler)
    scale, differ = int(scaler.get_scale()), []
    for step in range(EVEN):
        train(model, optimizer, scaler, step)
        weights = torch.nn.utils.parameters_to_vector(model.parameters()).detach()
        others = [torch.empty_like(weights) for _ in range(2)]
        dist.all_gather(others, weights)
        differ.append(not torch.equal(*others))
    distance = (others[0] - others[1]).norm() / weights.norm()
    return {"scale": scale, "differ": sum(differ), "distance": distance.item()}

print(json.dumps([EVEN, differing(False), differing(True)]))
dist.destroy_process_group()
"""

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = str(free.getsockname()[1])
shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": "2"}
command, pipe = [sys.executable, "-c", PROGRAM], subprocess.PIPE
places = [{**os.environ, **shared, "RANK": rank} for rank in "01"]
ranks = [subprocess.Popen(command, env=e, stdout=pipe, text=True) for e in places]
one, other = [json.loads(rank.communicate(timeout=90)[0]) for rank in ranks]

# %%
# The scale of each rank after the uneven batches, and how many steps left different weights.

rows = [
    {
        "state": state,
        "first_scale": one[i]["scale"],
        "second_scale": other[i]["scale"],
        "differ": one[i]["differ"],
        "distance_share": one[i]["distance"],
    }
    for i, state in enumerate(("own", "shared"), start=1)
]
print(*rows, sep="\n")

measured = {"steps": one[0], "by_state": {"table": rows}}
