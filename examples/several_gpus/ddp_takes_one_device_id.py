"""
DDP takes one device id
=======================

What may ``device_ids`` contain? One GPU, in any spelling, or nothing at all. The model has to be
there already: the argument only moves the inputs.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*deprecated"]}
# sphinx_gallery_quiet = "nothing"
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

gpu = torch.device("cuda", 0)  # in another rank, another GPU
torch.cuda.set_device(gpu)
kind = {"store": dist.HashStore(), "rank": 0, "world_size": 1}
dist.init_process_group("nccl", device_id=gpu, **kind)

model = DistributedDataParallel(torch.nn.Linear(32, 1).to(gpu), device_ids=[gpu])
x = torch.randn(64, 32)  # on the CPU
print(model(x).device)

# %%
# Each form wraps a model of its own. Then the model is called with an input on the CPU, and with
# one on the GPU.

errors = {}


def outcome(form, moment, call):
    try:
        return str(call())
    except Exception as error:
        errors[form, moment] = type(error)(str(error).splitlines()[0])
        return type(error).__name__


def tried(form, layer, **settings):
    models = []

    def wrap():
        models.append(DistributedDataParallel(layer, **settings))
        return "accepted"

    row = {"form": form, "wrapped": outcome(form, "wrapped", wrap)}
    if not models:
        return row | {"from_cpu": "not called", "from_gpu": "not called"}
    row["from_cpu"] = outcome(form, "from_cpu", lambda: models[0](x).device)
    row["from_gpu"] = outcome(form, "from_gpu", lambda: models[0](x.to(gpu)).device)
    return row


def there():
    return torch.nn.Linear(32, 1).to(gpu)


FORMS = {
    "left out": {},
    "index": {"device_ids": [0]},
    "string": {"device_ids": ["cuda:0"]},
    "bare string": {"device_ids": ["cuda"]},  # the current GPU
    "device": {"device_ids": [gpu]},
    "empty": {"device_ids": []},
    "integer": {"device_ids": 1},
}
rows = [tried(form, there(), **settings) for form, settings in FORMS.items()]
on_cpu, frozen = torch.nn.Linear(32, 1), there().requires_grad_(False)
rows.append(tried("index, model on the CPU", on_cpu, device_ids=[0]))
rows.append(tried("left out, model on the CPU", on_cpu))
rows.append(tried("index, nothing to train", frozen, device_ids=[0]))
dist.destroy_process_group()
print(*rows, sep="\n")

# %%
# The messages of some errors, besides their types.

measured = {
    "by_form": {"table": rows},
    "integer": errors["integer", "wrapped"],
    "without": errors["left out", "from_cpu"],
    "model_on_cpu": errors["index, model on the CPU", "wrapped"],
    "frozen": errors["index, nothing to train", "wrapped"],
}
