"""Page opening: "The copy waits for the current stream of each GPU, and later work in those two
streams waits for the copy", and 'call `.to("cuda:1")` and use the result right away'.

Attack: inside `with torch.cuda.stream(side)` of the source, of the target, of both; three and
five copies chained there and back; the source dropped and its memory filled again in the same
stream; the target dropped and its memory reused; a copy in a thread; a backward pass through
the copy, begun in side streams; slices copied in both directions at once.

Refuted if a value is stale or wrong where only current streams were used.
"""
import contextlib
import threading
import torch

HOLD = 20_000_000
N = 2**20
sides = [torch.cuda.Stream(device=i) for i in range(2)]


def sync():
    torch.cuda.synchronize(0)
    torch.cuda.synchronize(1)


def hold(i):
    with torch.cuda.device(i):
        torch.cuda._sleep(HOLD)


def refill(value, device, old):
    """Fill new tensors until one lies where the old one was."""
    made = []
    for _ in range(64):
        made.append(torch.full((N,), value, device=device))
        if abs(made[-1].data_ptr() - old) < 4 * N:
            return made
    print("attack: opening-sentence: memory was NOT reused: this attack did not happen", flush=True)
    return made


def basic():
    x = torch.zeros(N, device="cuda:0")
    sync()
    hold(0)
    x.fill_(1)
    y = x.to("cuda:1")
    x.fill_(5)
    return y.sum(), N


def held_target():
    x, y = torch.ones(N, device="cuda:0"), torch.zeros(N, device="cuda:1")
    sync()
    hold(1)
    old = y.sum()
    y.copy_(x)
    x.fill_(5)  # source's stream has to wait for the copy, which waits for the held target
    return y.sum() + 10 * old, N


def chain():
    x = torch.zeros(N, device="cuda:0")
    sync()
    hold(0)
    x.fill_(1)
    a = x.to("cuda:1")
    hold(1)
    b = (a + 1).to("cuda:0")
    c = (b + 1).to("cuda:1")
    d = (c + 1).to("cuda:0")
    x.zero_(); a.zero_(); b.zero_(); c.zero_()
    return d.to("cuda:1").sum(), 4 * N


def dropped_source():
    sync()
    x = torch.zeros(N, device="cuda:0")
    sync()
    hold(0)
    hold(1)
    x.fill_(1)
    y = x.to("cuda:1")
    old = x.data_ptr()
    del x
    again = refill(9.0, "cuda:0", old)
    return y.sum(), N


def dropped_target():
    sync()
    x = torch.zeros(N, device="cuda:0")
    sync()
    hold(0)
    x.fill_(1)
    y = x.to("cuda:1")
    old = y.data_ptr()
    del y
    again = refill(9.0, "cuda:1", old)
    return again[-1].sum(), 9 * N


def both_ways():
    x, y = torch.zeros(N, device="cuda:0"), torch.zeros(N, device="cuda:1")
    sync()
    hold(0)
    hold(1)
    x[: N // 2].fill_(1)
    y[N // 2 :].fill_(1)
    y[: N // 2] = x[: N // 2]
    x[N // 2 :] = y[N // 2 :]
    return x.sum().to("cuda:1") + y.sum(), 2 * N


def backward():
    w = torch.zeros(N, device="cuda:0", requires_grad=True)
    sync()
    hold(0)
    x = w * 2 + 1
    y = x.to("cuda:1")
    hold(1)
    (y * y).sum().backward()  # gradient: 2 y * 2 = 4
    return w.grad.sum(), 4 * N


def in_thread():
    got = []
    streams = [torch.cuda.current_stream(i) for i in range(2)]
    device = torch.cuda.current_device()

    def work():
        torch.cuda.set_device(device)
        with torch.cuda.stream(streams[1]), torch.cuda.stream(streams[0]):
            got.append(basic()[0])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return got[0], N


WAYS = basic, held_target, chain, dropped_source, dropped_target, both_ways, backward, in_thread
CONTEXTS = {"default": (), "side of cuda:0": (0,), "side of cuda:1": (1,), "sides 0, 1": (0, 1), "sides 1, 0": (1, 0)}
bad, tries = [], 0
for name, which in CONTEXTS.items():
    for way in WAYS:
        wrong = 0
        for attempt in range(5):
            sync()
            with contextlib.ExitStack() as stack:
                for i in which:
                    stack.enter_context(torch.cuda.stream(sides[i]))
                total, expected = way()
                value = total.item()
            sync()
            wrong += value != expected
            tries += 1
        print(f"attack: copy-between-gpus-waits-for-its-source: {way.__name__} in {name}: {wrong} of 5 wrong (last {value}, expected {expected})")
        if wrong:
            bad.append(f"{way.__name__} in {name}")
word = "REFUTED" if bad else "NOT REFUTED"
print(f"verdict: {word} copy-between-gpus-waits-for-its-source/opening sentences {'; '.join(bad)}")
