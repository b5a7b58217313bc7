"""Attacks on backward_streams.md and accumulate_grad.md; one H200, about 10 s."""
import gc, threading, warnings
import torch
from torch.cuda import current_stream

here, side, third = current_stream(), torch.cuda.Stream(), torch.cuda.Stream()
HOLD, COUNT, TRIES = 20_000_000, 2**20, 10


def verdict(name, bad, tries=TRIES):
    print(f"verdict: {'REFUTED' if bad else 'NOT REFUTED'} {name}: {bad} of {tries}", flush=True)


def hold(stream):
    with torch.cuda.stream(stream):
        torch.cuda._sleep(HOLD)


def leaf():
    x = torch.ones(COUNT, device="cuda", requires_grad=True)
    x.grad = torch.zeros_like(x)
    torch.cuda.synchronize()
    return x


def count(attempt):
    attempt()
    return sum(bool(attempt()) for _ in range(TRIES))


# 1. forward here, backward in side: is it right without zeros (x.grad None, memory poisoned)?
def none_grad():
    x = torch.ones(COUNT, device="cuda", requires_grad=True)
    for s in (here, side):
        with torch.cuda.stream(s):
            torch.zeros_like(x), torch.zeros_like(x)
    loss = (3 * x).sum()
    torch.cuda.synchronize()
    hold(side)
    with torch.cuda.stream(side):
        loss.backward()
    used = x.grad.clone()
    torch.cuda.synchronize()
    return (used != 3).any()


verdict("forward-in-the-same-stream-hides-the-race, grad None", count(none_grad))


# 2. the calling stream need not wait: held inside backward; grad(); inputs=; retain; a thread
class Slow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3

    @staticmethod
    def backward(ctx, g):
        torch.cuda._sleep(HOLD)
        g = g * 3
        torch.cuda._sleep(HOLD)
        return g


def called(how):
    def attempt():
        x = leaf()
        with torch.cuda.stream(side):
            loss = Slow.apply(x).sum()
        torch.cuda.synchronize()
        return how(loss, x)

    return attempt


def inputs(loss, x):
    loss.backward(inputs=[x])
    return (x.grad.clone() != 3).any()


def grad(loss, x):
    with torch.cuda.stream(side):
        torch.zeros_like(x)
    torch.cuda.synchronize()
    (g,) = torch.autograd.grad(loss, x)
    return (g.clone() != 3).any()


def twice(loss, x):
    loss.backward(retain_graph=True)
    loss.backward()
    return (x.grad.clone() != 6).any()


def thread(loss, x):
    found = []

    def work():
        loss.backward()
        found.append((x.grad.clone() != 3).any())

    t = threading.Thread(target=work)
    t.start(), t.join()
    return found[0]


for how in (inputs, grad, twice, thread):
    verdict(f"backward-waits-for-other-streams, {how.__name__}", count(called(how)))


# 3. does a new scalar take the memory of the one before, in a loop that frees others too?
same, last, kept = 0, None, []
for i in range(200):
    x = torch.ones(1000, device="cuda", requires_grad=True)
    loss = (3 * x).sum()
    kept.append(torch.ones((), device="cuda"))
    if i % 3 == 0:
        kept.clear()
    initial = torch.ones_like(loss)
    same += initial.data_ptr() == last
    last = initial.data_ptr()
    loss.backward(initial)
    del initial
print(f"an initial gradient at the address of the one before: {same} of 200")

# 4. a leaf in two side streams, for the first time
gc.collect()
torch.set_warn_always(True)


def two_sides():
    x = leaf()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with torch.cuda.stream(side):
            a = x * 1
        with torch.cuda.stream(third):
            b = x * 2
        here.wait_stream(side), here.wait_stream(third)
        (a + b).sum().backward()
    torch.cuda.synchronize()
    return not any("AccumulateGrad" in str(w.message) for w in caught)


verdict("leaf-in-two-streams-warns, both aside (no warning)", count(two_sides))


# 5. kept graph with the producer held; is the calling stream right at once?
def producer_held():
    x = leaf()
    with torch.cuda.stream(side):
        kept = x * 1
    torch.cuda.synchronize()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loss = Slow.apply(x).sum()
        hold(here)
        loss.backward()
        bad = (x.grad.clone() != 3).any()
    torch.cuda.synchronize()
    del kept
    return bad


verdict("mismatched-node-gives-right-gradients, producer held", count(producer_held))
