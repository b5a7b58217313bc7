"""
Each block compiles its own graph
=================================

Does a compiled function notice the autocast block around it? Yes: it is compiled anew for each
new state, and a graph that exists is used again. A block inside the function compiles without a
graph break.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*deprecated"]}
# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
layer = torch.nn.Linear(64, 64, device=device)
x = torch.randn(8, 64, device=device)
graphs = []


def count(module, _):  # a backend that only counts
    graphs.append(module)
    return module.forward


compiled = torch.compile(layer, backend=count, fullgraph=True)
for dtype in (torch.bfloat16, torch.float16, torch.bfloat16):
    with torch.autocast(device.type, dtype=dtype):
        print(compiled(x).dtype, len(graphs))

# %%
# How many graphs are there after each call? With ``fullgraph=True``, a graph break would raise.
# A state is the type of the block around the call, or none.

STATES = (None, torch.bfloat16, torch.float16)


def numbers_of_graphs(function, states, **options):
    graphs.clear()
    torch.compiler.reset()
    compiled, numbers = torch.compile(function, backend=count, fullgraph=True), []
    for dtype in states:
        block = torch.autocast(
            device.type, dtype=dtype, enabled=dtype is not None, **options
        )
        with block:
            compiled(x).sum().backward()
        numbers.append(len(graphs))
    return numbers


def block_within(x):
    with torch.autocast(device.type, dtype=torch.bfloat16):
        return layer(x)


@torch.autocast(device.type, dtype=torch.bfloat16)
def decorated(x):
    return layer(x)


around = numbers_of_graphs(layer, STATES + STATES)
print(f"block around the call: {around}")

# %%
# A model without disabled regions: does compiling change the bits of its gradients?

torch.manual_seed(0)
model = torch.nn.Sequential(
    torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.Linear(128, 10)
).to(device)
target = torch.arange(len(x), device=device) % 10


def gradients(function):
    model.zero_grad()
    with torch.autocast(device.type, dtype=torch.bfloat16):
        loss = torch.nn.functional.cross_entropy(function(x), target)
    loss.backward()
    return [parameter.grad.clone() for parameter in model.parameters()]


torch.compiler.reset()
compiled = gradients(torch.compile(model, backend="aot_eager"))
same = sum(map(torch.equal, gradients(model), compiled))
measured = {
    "states": len(STATES),
    "around": around[len(STATES) - 1],
    "around_again": around[-1],
    "within": numbers_of_graphs(block_within, (None, None))[-1],
    "decorated": numbers_of_graphs(decorated, (None, None))[-1],
    "parameters": len(compiled),
    "same": same,
}
print(measured)
