"""
Other optimizers take other amounts
===================================

Does each optimizer take as much as its weights in a step? The default form holds what it computes
for all parameters at once, and how much that is depends on the formula. A loop holds it for one
parameter at a time.
"""

# sphinx_gallery_quiet = "nothing"
import torch

LAYERS, WIDTH, device = 16, 1024, "cuda"
layers = [torch.nn.Linear(WIDTH, WIDTH, device=device) for _ in range(LAYERS)]
parameters = [parameter for layer in layers for parameter in layer.parameters()]
weights_bytes = sum(parameter.nbytes for parameter in parameters)


def taken(kind, **settings):
    for parameter in parameters:
        parameter.grad = torch.randn_like(parameter)
    optimizer = kind(parameters, lr=0.01, **settings)
    for _ in range(8):  # makes the state; RAdam begins with steps of another kind
        optimizer.step()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    optimizer.step()
    return torch.cuda.max_memory_allocated() - before


print(taken(torch.optim.AdamW) / weights_bytes, "times the weights")

# %%
# Each optimizer in three forms, and SGD with momentum.

KINDS = (
    "SGD",
    "Adam",
    "AdamW",
    "NAdam",
    "RAdam",
    "Adamax",
    "RMSprop",
    "Adagrad",
    "Adadelta",
)
KINDS += ("ASGD", "Rprop")
FORMS = {"default": {}, "foreach": {"foreach": True}, "loop": {"foreach": False}}
rows = []
for name in KINDS:
    kind = getattr(torch.optim, name)
    row = {"optimizer": name}
    for form, settings in FORMS.items():
        row[f"{form}_bytes"] = taken(kind, **settings)
    rows.append(row)
    print(row)
momentum = taken(torch.optim.SGD, momentum=0.9)

measured = {
    "weights_bytes": weights_bytes,
    "largest_bytes": max(parameter.nbytes for parameter in parameters),
    "by_optimizer": {"table": rows},
    "momentum_bytes": momentum,
}
