"""Sentences "any other stream has to be told to wait" and "Any other stream has to wait
explicitly, on either GPU" (claims copy-between-gpus-read-in-another-stream, -of-another-
streams-data).

Attack: a stream made by cudaStreamCreate (the CUDA default kind, as other libraries make it),
wrapped as ExternalStream. It waits for the legacy default stream, which is PyTorch's current
stream, by itself. Also: a stream of high priority, and a stream of the SOURCE GPU that
overwrites the source after the copy with the target held (control: it must hurt).

Refuted if the reader in another stream, told nothing, never reads stale data with the source held.
"""
import ctypes
import torch

HOLD = 20_000_000
N = 2**20
TRIES = 10


def sync():
    torch.cuda.synchronize(0)
    torch.cuda.synchronize(1)


def hold(i):
    with torch.cuda.device(i):
        torch.cuda._sleep(HOLD)


def blocking_stream(i):
    with torch.cuda.device(i):
        torch.zeros(1, device=f"cuda:{i}")
        pointer = ctypes.c_void_p()
        code = torch.cuda.cudart().cudaStreamCreate(ctypes.addressof(pointer))
        assert int(code) == 0, code
        return torch.cuda.ExternalStream(pointer.value, device=f"cuda:{i}")


KINDS = {
    "torch.cuda.Stream": lambda i: torch.cuda.Stream(device=i),
    "priority -1": lambda i: torch.cuda.Stream(device=i, priority=-1),
    "cudaStreamCreate": blocking_stream,
}


def read_in(side, x, y):
    hold(0)
    x.fill_(1)
    y.copy_(x)
    with torch.cuda.stream(side):
        return y.sum()


def fill_in(side, x, y):
    with torch.cuda.stream(side):
        torch.cuda._sleep(HOLD)
        x.fill_(1)
    y.copy_(x)
    return y.sum()


def overwrite_in(side, x, y):  # stale here means: the source was overwritten before the copy
    x.fill_(1)
    hold(1)
    y.copy_(x)
    with torch.cuda.stream(side):
        x.zero_()
    return y.sum()


stale = {}
for kind, make in KINDS.items():
    streams = [make(i) for i in range(2)]
    for way, gpu in ((read_in, 1), (fill_in, 0), (overwrite_in, 0)):
        count = 0
        for attempt in range(TRIES + 1):  # the first loads kernels
            x, y = torch.zeros(N, dtype=torch.int64, device="cuda:0"), torch.zeros(N, dtype=torch.int64, device="cuda:1")
            sync()
            total = way(streams[gpu], x, y)
            sync()
            if attempt:
                count += total.item() != N
        stale[kind, way.__name__] = count
        print(f"attack: copy-between-gpus-read-in-another-stream: {way.__name__}, other stream is {kind}: stale or lost in {count} of {TRIES}")
refuted = [f"{k}/{w}" for (k, w), n in stale.items() if n == 0]
word = "REFUTED" if refuted else "NOT REFUTED"
print(f"verdict: {word} copy-between-gpus-read-in-another-stream (any other stream has to wait explicitly): no stale data with {'; '.join(refuted) or 'none'}")
