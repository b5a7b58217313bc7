"""
Some names keep a tensor alive
==============================

Why does ``del`` free nothing? It removes a name, and memory is freed with the last thing that
refers to it: a view, a list, a hook, a graph, a caught exception. Only a cycle of
references waits for ``gc.collect()``. ``empty_cache()`` frees none of them.
"""

# sphinx_gallery_quiet = "nothing"
import gc
import traceback

import torch

SIZE = 64 * 2**20  # bytes
start = torch.cuda.memory_allocated()


def held():
    return torch.cuda.memory_allocated() - start


x = torch.zeros(SIZE // 4, device="cuda")
tensor_bytes = held()
view = x[:1]
del x
print(f"{held()} bytes are held after del x")
del view
print(f"{held()} bytes are held after del view")

# %%
# Each case gives something that is kept when the name is gone. The last step of each drops that.


gc.disable()  # so that the collector runs only where it is called


def a_second_name(x):
    kept = [x]
    return kept, kept.clear


def a_view(x):
    kept = [x[:1]]
    return kept, kept.clear


def a_copy_of_a_view(x):
    return x[:1].clone(), lambda: None


def a_graph(x):
    weight = torch.ones((), device="cuda", requires_grad=True)
    losses = [(x * weight).sum()]  # backward needs x for the gradient of the weight
    return losses, losses.clear


def a_loss_after_backward(x):
    losses, clear = a_graph(x)
    losses[0].backward()
    return losses, clear


def a_detached_result(x):
    weight = torch.ones((), device="cuda", requires_grad=True)
    return (x * weight).sum().detach(), lambda: None


def a_hook(x):
    layer, seen = torch.nn.Identity(), []
    with layer.register_forward_hook(lambda *args: seen.append(args[-1])):
        layer(x)  # then the hook is removed, but not what it has kept
    return layer, seen.clear


def an_exception(x):
    try:
        x[SIZE]
    except IndexError as error:
        kept = error
    return kept, lambda: traceback.clear_frames(kept.__traceback__)


def a_cycle(x):
    pair = [x]
    pair.append(pair)
    return None, lambda: None


# %%
# What is held after ``del``, then after ``empty_cache()``, ``gc.collect()``, and the last step?
# Every byte counts: the smallest block of the allocator has 512.


def trial(case):
    before = held()
    x = torch.zeros(SIZE // 4, device="cuda")
    kept, drop = case(x)  # noqa: RUF059, it is what keeps the tensor
    row = {"kept": case.__name__.replace("_", " ")}
    del x
    steps = {"deleted": int, "emptied": torch.cuda.empty_cache}
    steps |= {"collected": gc.collect, "dropped": drop}
    for name, call in steps.items():
        call()
        row[f"{name}_bytes"] = held() - before
    return row


CASES = (a_second_name, a_view, a_copy_of_a_view, a_graph, a_detached_result, a_hook)
CASES += (a_loss_after_backward, an_exception, a_cycle)
table = [trial(case) for case in CASES]
gc.enable()
print(*table, sep="\n")
measured = {"tensor_bytes": tensor_bytes, "by_kept": {"table": table}}
