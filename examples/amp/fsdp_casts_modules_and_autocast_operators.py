"""
FSDP casts modules, and autocast operators
==========================================

What runs in which type under ``fully_shard`` with a ``MixedPrecisionPolicy``? Everything in the
module runs in the policy's type, softmax too; shards, gradients and optimizer stay in FP32.
Autocast beside it still decides for each operator, and wins.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
# sphinx_gallery_quiet = "nothing"
import json
import os
import socket
import subprocess
import sys

# %%
# This program runs once for each GPU, with the variables that ``torchrun`` sets. Hooks note types
# while the forward pass runs.

PROGRAM = """
import json, os
import torch
import torch.distributed as dist
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

found = torch.accelerator.current_accelerator(check_available=True)
rank = int(os.environ["RANK"])
device = torch.device("cuda", rank) if found else torch.device("cpu")
if found:
    torch.cuda.set_device(rank)
dist.init_process_group("nccl" if found else "gloo")
mesh = dist.init_device_mesh(device.type, (2,))
FP16, BF16, FP32 = torch.float16, torch.bfloat16, torch.float32

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(32, 64)
        self.register_buffer("factors", torch.ones(64))
        self.seen = {}

    def forward(self, x):
        hidden = self.linear(x)
        output = hidden.softmax(dim=1)
        self.seen |= {"input": x, "weight": self.linear.weight, "linear": hidden}
        self.seen |= {"softmax": output, "buffer": self.factors}
        self.seen |= {"product_with_buffer": hidden * self.factors}
        return output
"""

# %%
# A step with each policy, with and without autocast.

PROGRAM += """
def types(policy, autocast):
    torch.manual_seed(0)
    model = fully_shard(Net().to(device), mesh=mesh, mp_policy=policy)
    optimizer = torch.optim.AdamW(model.parameters())
    torch.manual_seed(1 + rank)
    x, wanted = torch.randn(64, 32, device=device), torch.rand(64, 64, device=device)
    with torch.autocast(device.type, autocast, enabled=autocast is not None):
        output = model(x)
    torch.nn.functional.mse_loss(output.float(), wanted).backward()
    optimizer.step()
    weight = model.linear.weight
    seen = {**model.seen, "output": output, "shard": weight, "gradient": weight.grad}
    seen |= {"optimizer": optimizer.state[weight]["exp_avg"]}
    kinds = {name: str(tensor.dtype).removeprefix("torch.") for name, tensor in seen.items()}
    gradient = weight.grad.to_local()
    fits = torch.equal(gradient, gradient.bfloat16().float())
    return kinds | {"gradient_fits_bf16": fits}

policy = MixedPrecisionPolicy
cases = {
    "neither": (policy(), None),
    "autocast": (policy(), BF16),
    "policy": (policy(BF16, FP32), None),
    "policy with output": (policy(BF16, FP32, output_dtype=FP32), None),
    "policy without reduction": (policy(BF16), None),
    "policy and autocast": (policy(BF16, FP32), BF16),
    "FP16 policy, BF16 autocast": (policy(FP16, FP32), BF16),
}
rows = [{"case": case, **types(*given)} for case, given in cases.items()]
print(json.dumps(rows))
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
print(*one, sep="\n")

measured = {"ranks_alike": one == other, "by_case": {"table": one}}
