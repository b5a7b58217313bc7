"""
save_on_cpu takes the weights too
=================================

Which tensors does ``save_on_cpu`` copy to the host? Every tensor that is saved, each
time it is saved: activations, but also weights, which stay on the GPU anyway. A tensor
that two operations save is copied twice.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.autograd.graph import save_on_cpu, saved_tensors_hooks
from torch.profiler import ProfilerActivity, profile

# %%
# ReLU saves its output, and the next layer saves the same tensor as its input.

LAYERS, WIDTH, BATCH = 8, 512, 1024
pairs = [(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU()) for _ in range(LAYERS)]
net = torch.nn.Sequential(*(module for pair in pairs for module in pair)).cuda()
batch = torch.rand(BATCH, WIDTH, device="cuda")

# %%
# Custom hooks see what autograd saves. These only take notes.

saved = []


def note(tensor):
    saved.append(tensor)
    return tensor


with saved_tensors_hooks(note, lambda tensor: tensor):
    net(batch)

# %%
# A saved weight is not the parameter itself but a transposed view that shares its
# memory. The batch is on the GPU whether it is saved or not.


def address(tensor):
    return tensor.untyped_storage().data_ptr()


of_model = {address(parameter) for parameter in net.parameters()}
weights = [tensor for tensor in saved if address(tensor) in of_model]
inputs = [tensor for tensor in saved if address(tensor) == address(batch)]
activations = len(saved) - len(weights) - len(inputs)
needed = {address(tensor): tensor.nbytes for tensor in saved}
needed_bytes = sum(needed[key] for key in needed.keys() - of_model - {address(batch)})
saved_bytes = sum(tensor.nbytes for tensor in saved)
print(f"saved: weights {len(weights)}, batch {len(inputs)}, activations {activations}")
print(
    f"{saved_bytes:,} bytes in all; only {needed_bytes:,} are there for backward alone"
)

# %%
# The profiler counts what ``save_on_cpu`` causes: copies, and how often the host waits
# for the stream or allocates pinned memory.


def counts(profiler, kind):
    names = [event.name for event in profiler.events()]
    return {
        f"{kind}_copies": sum(name.startswith("Memcpy") for name in names),
        f"{kind}_waits": names.count("cudaStreamSynchronize"),
        f"{kind}_allocations": names.count("cudaHostAlloc"),
    }


def profiled(**options):
    activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with profile(activities=activities, acc_events=True) as forward:
        with save_on_cpu(**options):
            output = net(batch)
        torch.cuda.synchronize()
    with profile(activities=activities, acc_events=True) as backward:
        output.backward(output)
        torch.cuda.synchronize()
    return counts(forward, "forward") | counts(backward, "backward")


# %%
# The first use of the profiler and the very first step do not count. The first pinned
# step allocates, and the second does not.

profiled()
rows = {"pageable": profiled(), "pinned_first": profiled(pin_memory=True)}
rows["pinned_again"] = profiled(pin_memory=True)
for way, row in rows.items():
    print(way, row)

# %%
# All of these values are exact.

measured = {
    "weights": len(weights),
    "inputs": len(inputs),
    "activations": activations,
    "different_activations": len(needed.keys() - of_model - {address(batch)}),
    "saved_bytes": saved_bytes,
    "needed_bytes": needed_bytes,
    "by_way": {"table": [{"way": way, **row} for way, row in rows.items()]},
}
