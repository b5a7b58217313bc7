"""
An unused parameter stops the next step
=======================================

What if a parameter had no part in the loss? ``DistributedDataParallel`` waits for its gradient,
and the next forward pass raises an error. The gradients of that step were not averaged, or not
all.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*deprecated", "Attempting"]}
# sphinx_gallery_quiet = "nothing"
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

found = torch.accelerator.current_accelerator(check_available=True)
device, backend = (found, "nccl") if found else (torch.device("cpu"), "gloo")
dist.init_process_group(backend, store=dist.HashStore(), rank=0, world_size=1)


class TwoHeads(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = torch.nn.Linear(32, 32)
        self.used = torch.nn.Linear(32, 1)
        self.unused = torch.nn.Linear(32, 1)

    def forward(self, x, both=False):
        hidden = self.trunk(x)
        return self.used(hidden) + (self.unused(hidden) if both else 0)


model = DistributedDataParallel(TwoHeads().to(device))
x = torch.randn(64, 32, device=device)
model(x).sum().backward()  # no error here
try:
    model(x)
except RuntimeError as error:
    print(error)

# %%
# Each case has a model of its own and takes the same steps. A hook counts the buckets that leave.
# Where the loss never uses a head, another way out is to freeze it, before the wrapping.


def hook(state, bucket):
    state.append(bucket.index())
    future = torch.futures.Future()
    future.set_result(bucket.buffer())
    return future


def steps(uses, frozen="never", **settings):
    """Take a step for each of the flags: does it use both heads?"""
    heads = TwoHeads().to(device)
    heads.unused.requires_grad_(frozen != "before")
    model = DistributedDataParallel(heads, **settings)
    heads.unused.requires_grad_(frozen == "never")
    sent = []
    model.register_comm_hook(sent, hook)
    row = {"steps": 0, "buckets": 0, "error": "none"}
    try:
        for both in uses:
            model.zero_grad()
            sent.clear()
            model(x, both).sum().backward()
            row |= {"steps": row["steps"] + 1, "buckets": len(sent)}
    except RuntimeError as error:
        row["error"] = str(error).split(". ")[0].strip()
    head = model.module.unused.weight
    return row | {"head_has_a_gradient": head.grad is not None}


never, changing = [False] * 4, [True, True, False, True]
found_unused, static = {"find_unused_parameters": True}, {"static_graph": True}
cases = {
    "never used": steps(never),
    "never used, found": steps(never, **found_unused),
    "never used, static": steps(never, **static),
    "never used, frozen": steps(never, frozen="before"),
    "never used, frozen later": steps(never, frozen="after"),
    "sometimes used": steps(changing),
    "sometimes used, found": steps(changing, **found_unused),
    "sometimes used, static": steps(changing, **static),
}
rows = [{"case": case, **row} for case, row in cases.items()]
print(*rows, sep="\n")

# %%
# The message names the parameters if ``TORCH_DISTRIBUTED_DEBUG=INFO`` was set at the start; in a
# running program, a function does the same.


def message(level):
    dist.set_debug_level(level)
    model = DistributedDataParallel(TwoHeads().to(device))
    model(x).sum().backward()
    try:
        model(x)
    except RuntimeError as error:
        return str(error)


plain, detailed = message(dist.DebugLevel.OFF), message(dist.DebugLevel.INFO)
dist.destroy_process_group()
print(detailed)

measured = {
    "tries": len(never),
    "error": RuntimeError(plain.split(". ")[0]),
    "plain_names_it": "unused.weight" in plain,
    "detailed_names_it": "unused.weight" in detailed,
    "by_case": {"table": rows},
}
