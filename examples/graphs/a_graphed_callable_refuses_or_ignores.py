"""
A graphed callable refuses or ignores
=====================================

What may I do with a module that ``make_graphed_callables`` has graphed? Some limits raise an error.
Others are not noticed: the result is that of old weights, has another shape, or changes later.
"""

# sphinx_gallery_evidence = {"fresh": True, "expected_warnings": [".*AccumulateGrad", "Attempting"]}
# sphinx_gallery_quiet = "nothing"
import copy
import gc

import torch

torch.manual_seed(0)
layers = torch.nn.Linear(64, 64), torch.nn.Tanh(), torch.nn.Linear(64, 64)
plain = torch.nn.Sequential(*layers).cuda()
model = copy.deepcopy(plain)
sample = torch.randn(32, 64, device="cuda")
torch.cuda.make_graphed_callables(model, (sample,))  # graphs forward and backward

x = torch.randn(32, 64, device="cuda")
model(x).sum().backward()  # two replays
print((model(x) - plain(x)).abs().max())

# %%
# What raises? Each case gets a model of its own. Callables of former cases are collected first:
# freed during the making of a new one, they would end it.


def graphed(args=(sample,), **options):
    gc.collect()
    return torch.cuda.make_graphed_callables(copy.deepcopy(plain), args, **options)


def a_hook():
    hooked = copy.deepcopy(plain)
    hooked.register_forward_hook(lambda *_: None)
    torch.cuda.make_graphed_callables(hooked, (sample,))


def a_trainable_buffer():
    module, buffer = copy.deepcopy(plain), torch.ones(1, device="cuda")
    module.register_buffer("scale", buffer.requires_grad_())
    torch.cuda.make_graphed_callables(module, (sample,))


def the_cache_of_autocast():
    with torch.autocast("cuda", torch.bfloat16):
        graphed()


def an_unused_input():
    inputs = [torch.ones(8, device="cuda", requires_grad=True) for _ in range(2)]
    torch.cuda.make_graphed_callables(lambda used, _: used * 2, tuple(inputs))


def a_second_derivative():
    inputs = sample.clone().requires_grad_()
    output = graphed((inputs,))(inputs).square().sum()
    (slope,) = torch.autograd.grad(output, inputs, create_graph=True)
    slope.sum().backward()


def half_a_batch():
    graphed()(x[:16])


def an_argument_by_name():
    graphed()(input=x)


def message(case):
    try:
        case()
    except Exception as error:
        says = str(error).split("() ")[-1].split(". ")[0]
        return {"case": case.__name__, "raised": type(error).__name__, "says": says}


cases = (a_hook, a_trainable_buffer, the_cache_of_autocast, an_unused_input)
cases += (a_second_derivative, half_a_batch, an_argument_by_name)
refused = [message(case) for case in cases]
print(refused[-1])

# %%
# What is not noticed? In each try, weights and inputs are new.

TRIES = 20
CASES = ("moved", "in_place", "kept", "cloned", "without", "with")
counts = dict.fromkeys(CASES, 0)
one_row, in_eval = graphed()(x[:1]), graphed().eval()(x[:16])
for _ in range(TRIES):
    model, new = graphed(), copy.deepcopy(plain)
    old = [parameter.data for parameter in model.parameters()]  # stays, to be safe
    with torch.no_grad():
        for parameter, mine in zip(new.parameters(), model.parameters()):
            mine.copy_(parameter.mul_(1.5))  # at the same place
        counts["in_place"] += torch.allclose(model(x), new(x), 1e-3, 1e-4)
        for parameter, mine in zip(new.parameters(), model.parameters()):
            mine.data = parameter.mul_(1.5).clone()  # at another place
        counts["moved"] += torch.allclose(model(x), new(x), 1e-3, 1e-4)
        first, other = torch.randn(2, 32, 64, device="cuda")
        kept, cloned = (result := model(first)), result.clone()
        model(other)
        counts["kept"] += torch.equal(kept, cloned)
        counts["cloned"] += torch.equal(cloned, model(first))
    for name, wants in {"without": False, "with": True}.items():
        leaf = x.clone().requires_grad_()
        graphed((sample.clone().requires_grad_(wants),))(leaf).sum().backward()
        counts[name] += leaf.grad is not None

measured = {
    "tries": TRIES,
    "refused": {"table": refused},
    "right": {"table": [{"case": name, "right": n} for name, n in counts.items()]},
    "rows_out": len(one_row),
    "eval_rows": len(in_eval),
}
print(counts, measured["rows_out"])
