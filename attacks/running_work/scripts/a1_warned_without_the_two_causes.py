"""Page: execution/accumulate_grad.md. "Something keeps an earlier graph of your model alive, or `DistributedDataParallel` wrapped the
model in another stream. ... Drop the earlier graph, or wrap the model in the stream in which you train it." / "A process warns once"
Attack: fresh leaves, no earlier pass, no DDP: the leaf used in two streams in one pass; its node asked for with get_gradient_edge in
a side stream; a post-accumulate hook registered in a side stream; parameters shared by two branches; forward in one stream but the
leaf read first through a view made in another. Refuted if a pass warns with neither of the two causes.
Second arm: three passes on leaves of their own, without set_warn_always, from two threads: refuted if more than one warning comes.
"""
import gc
import threading
import warnings
import torch

here, side, third = torch.cuda.current_stream(), torch.cuda.Stream(), torch.cuda.Stream()


def leaf():
    w = torch.ones(1024, device="cuda", requires_grad=True)
    torch.cuda.synchronize()
    return w


def two_streams():
    w = leaf()
    with torch.cuda.stream(side):
        a = w * 2
    here.wait_stream(side)
    (a + w * 3).sum().backward()


def edge():
    w = leaf()
    with torch.cuda.stream(side):
        kept = torch.autograd.graph.get_gradient_edge(w)
    (w * 3).sum().backward()
    return kept


def hook():
    w = leaf()
    with torch.cuda.stream(side):
        w.register_post_accumulate_grad_hook(lambda p: None)
        w.register_hook(lambda g: g)
    (w * 3).sum().backward()


def view_elsewhere():
    w = leaf()
    with torch.cuda.stream(side):
        v = w.view(2, -1)
    here.wait_stream(side)
    (v * 3).sum().backward()


def plain():
    (leaf() * 3).sum().backward()


def warned(case):
    gc.collect()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        case()
        torch.cuda.synchronize()
    return sum("AccumulateGrad" in str(w.message) for w in caught)


# first the second arm: once per process
once = [warned(two_streams)]
box = []
thread = threading.Thread(target=lambda: box.append(None) or two_streams())
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    thread.start(); thread.join(); torch.cuda.synchronize()
once.append(sum("AccumulateGrad" in str(w.message) for w in caught))
once.append(warned(two_streams))
print("warnings of three passes, the second in a thread:", once)
torch.set_warn_always(True)
counts = {case.__name__: sum(warned(case) for _ in range(5)) for case in (plain, two_streams, edge, hook, view_elsewhere)}
print("warnings in 5 passes with set_warn_always:", counts)
if counts["plain"]:
    raise RuntimeError("control warned")
bad = {k: v for k, v in counts.items() if v}
if sum(once) > 1:
    print(f"REFUTED: a process warned {sum(once)} times: {once}")
elif bad:
    print(f"REFUTED: without an earlier graph and without DDP, these warn: {bad}")
else:
    print(f"NOT REFUTED: {counts}")
