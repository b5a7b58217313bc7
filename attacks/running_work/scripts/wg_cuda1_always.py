"""docs/devices/which_gpu.md: "On the one that you name: "cuda:1" always means the second GPU."
Attack: a process with CUDA_VISIBLE_DEVICES in the swapped order, and one that sees only the second GPU.
Refuted if "cuda:1" is another GPU than the machine's second, or does not exist."""
import json
import os

import torch

def forked(function, **environment):
    """The result of function in a forked process with these variables (CUDA is not yet used here)."""
    r, w = os.pipe()
    if os.fork() == 0:
        os.close(r)
        os.environ.update(environment)
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 2)
        try:
            out = function()
        except BaseException as error:
            out = {"failed": f"{type(error).__name__}: {error}".splitlines()[0][:150]}
        os.write(w, json.dumps(out).encode())
        os._exit(0)
    os.close(w)
    return os.fdopen(r)


def result(pipe):
    return json.loads(pipe.read())


def uuids():
    return [str(torch.cuda.get_device_properties(i).uuid) for i in range(torch.cuda.device_count())]


def second():
    x = torch.ones(1, device="cuda:1")
    return str(torch.cuda.get_device_properties(x.device).uuid)


every = os.environ.get("CUDA_VISIBLE_DEVICES", "0,1").split(",")[:2]
ORDER = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
all_, swapped, alone = (
    result(p)
    for p in [
        forked(uuids, **ORDER),
        forked(second, CUDA_VISIBLE_DEVICES=f"{every[1]},{every[0]}", **ORDER),
        forked(second, CUDA_VISIBLE_DEVICES=every[1], **ORDER),
    ]
)
print("GPUs", all_, "cuda:1 if swapped", swapped, "cuda:1 if the second alone is visible", alone)
assert isinstance(all_, list) and len(all_) == 2
if swapped == all_[0] or swapped != all_[1] or alone != all_[1]:
    print("REFUTED: 'cuda:1' is the first GPU under a swapped CUDA_VISIBLE_DEVICES, and missing where it names one GPU")
else:
    print("NOT REFUTED: tried swapped and single CUDA_VISIBLE_DEVICES")
