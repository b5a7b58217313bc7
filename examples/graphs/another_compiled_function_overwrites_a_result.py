"""
Another compiled function overwrites a result
=============================================

Does the result of a function compiled with ``mode="reduce-overhead"`` outlive a call of another
one? No: they share their memory, and each call begins a new step. A mark for each step, a clone or
a setting keeps it, and so does a backward pass that is still to come.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 120, "expected_warnings": [".*"]}
# sphinx_gallery_quiet = "nothing"
import torch


@torch.compile(mode="reduce-overhead")
def encode(x):
    return x * 2


@torch.compile(mode="reduce-overhead")
def decode(x):
    return x + 1


for value in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0):
    code = encode(torch.full((4,), value, device="cuda"))
    decode(torch.full((4,), -value, device="cuda"))
    try:
        print(2 * value, code.tolist())
    except RuntimeError as error:
        print(2 * value, str(error)[:91])

# %%
# How is a result read after a call of the other function, with other data or with this result?

CALLS = 8


def full(value):
    return torch.full((4,), float(value), device="cuda")


def state(result, wanted):
    return "right" if (result == wanted).all().item() else "changed"


def other_data(value):
    code = encode(full(value))
    decode(full(-value))
    return state(code, 2 * value)


def in_a_chain(value):
    code = encode(full(value))
    return state(decode(code), 2 * value + 1)


def read_after_a_chain(value):
    code = encode(full(value))
    decode(code)
    return state(code, 2 * value)


def cloned(value):
    code = encode(full(value)).clone()
    decode(code)
    return state(code, 2 * value)


def marked(value):
    torch.compiler.cudagraph_mark_step_begin()
    return read_after_a_chain(value)


def count(way, name=None):
    torch.compiler.reset()
    seen = []
    for value in range(1, CALLS + 1):
        try:
            seen.append(way(value))
        except RuntimeError as error:
            seen.append("raised" if "been overwritten" in str(error) else "failed")
    print(name or way.__name__, seen)
    states = {key: seen.count(key) for key in ("raised", "changed", "right")}
    return {"way": name or way.__name__} | states | {"last": seen[-1]}


WAYS = (other_data, in_a_chain, read_after_a_chain, cloned)
rows = [count(way) for way in WAYS]

# %%
# Two compiled modules, with a backward pass at the end of each step. Are the gradients right?

pair = torch.nn.Sequential(*[torch.nn.Linear(64, 64) for _ in range(2)]).cuda()
parameters = list(pair.parameters())
fast = [torch.compile(module, mode="reduce-overhead") for module in pair]


def trained(value):
    x = value * torch.randn(32, 64, device="cuda")
    wanted = torch.autograd.grad(pair(x).square().mean(), parameters)
    pair.zero_grad()
    fast[1](fast[0](x)).square().mean().backward()
    alike = [torch.allclose(p.grad, w, 1e-3, 1e-5) for p, w in zip(parameters, wanted)]
    return "right" if all(alike) else "changed"


rows.append(count(trained))

# %%
# A setting has PyTorch itself clone what is still in use. Marks come last: they count for the whole
# process.

torch._inductor.config.triton.cudagraph_trees_generation_cloning = "user_visible"
rows.append(count(other_data, "cloned_by_the_setting"))
torch._inductor.config.triton.cudagraph_trees_generation_cloning = None
rows.append(count(marked))

measured = {"calls": CALLS, "by_way": {"table": rows}}
