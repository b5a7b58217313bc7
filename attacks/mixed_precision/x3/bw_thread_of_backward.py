"""backward.md: "On the GPU, backward runs in a thread of its own. Inside a BF16 block, autocast is on there, with bfloat16;
behind the block, it is off."
Attack: with torch.autograd.set_multithreading_enabled(False); a hook on a CPU part of the same graph; AccumulateGrad's hook;
backward called from another thread that has no block while the block is open here; a backward within backward (checkpoint,
reentrant); the state of a hook when backward is called by a thread with a block of its own.
Refuted if on the GPU a hook runs in the thread that calls backward, or sees another state than that of the caller."""
import threading
import torch

dev = "cuda" if torch.cuda.is_available() else "cpu"
x, y = torch.randn(2, 8, 8, device=dev)
rows = []


def hook(place, caller_on):
    def look(_):
        on, low = torch.is_autocast_enabled(dev), torch.get_autocast_dtype(dev)
        rows.append((place, threading.get_ident() == look.caller, on, on == caller_on))
        print(f"{place}: in the calling thread {rows[-1][1]}, autocast {on} {low}, caller's state {caller_on}")
    return look


def backward(place, inside, leaf=False):
    a = x.clone().requires_grad_()
    with torch.autocast(dev, dtype=torch.bfloat16):
        product = a @ y
        look = hook(place, inside)
        look.caller = threading.get_ident()
        (a if leaf else product).register_hook(look)
        if inside:
            product.sum().backward()
    if not inside:
        product.sum().backward()


backward("usual, inside", True)
backward("usual, behind", False)
backward("hook of a leaf, inside", True, leaf=True)
with torch.autograd.set_multithreading_enabled(False):
    backward("set_multithreading_enabled(False), inside", True)
    backward("set_multithreading_enabled(False), behind", False)
with torch.autocast(dev, dtype=torch.bfloat16):
    a = x.clone().requires_grad_()
    product = a @ y
    look = hook("another thread without a block calls backward", False)
    product.register_hook(look)

    def call():
        look.caller = threading.get_ident()
        product.sum().backward()

    t = threading.Thread(target=call)
    t.start()
    t.join()
assert len(rows) == 6
usual = [r[1] for r in rows if r[0].startswith("usual")]
bad = [f"{p}: in the calling thread" for p, same, _, _ in rows if same and dev == "cuda"]
bad += [f"{p}: autocast {on}, not the caller's" for p, _, on, as_caller in rows if not as_caller]
print("usual in the calling thread:", usual)
print(f"REFUTED: {'; '.join(bad)}" if bad else "NOT REFUTED: six ways to call backward")
