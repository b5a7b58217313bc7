"""Page: execution/backward_streams.md. "Each backward operation runs in the stream of its forward operation, and backward inserts
the waits between them." / "These waits do not block the host".
Attack: a forward pass with operations between GPU and CPU in the side stream (x.cpu(), x.to("cpu"), and a CPU leaf moved to the
GPU); backward() called in the current stream. Either the current or the side stream is held. A copy to the GPU from pageable
memory waits on the host for its own stream: if the host waits for the current stream, it ran there, not in the forward's stream.
Refuted if the backward operation waits for the calling stream instead of the forward's.
"""
import time
import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()


def cpu_loss(x):
    return (3 * x).cpu().sum()


def to_loss(x):
    return (3 * x).to("cpu").mul(2).sum()


def attempt(make, held):
    x = torch.ones(2**18, device="cuda", requires_grad=True)
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        loss = make(x)
    torch.cuda.synchronize()
    if held is not None:
        with torch.cuda.stream(held):
            torch.cuda._sleep(40_000_000)
    begin = time.perf_counter()
    loss.backward()
    took = time.perf_counter() - begin
    right = x.grad.clone()
    torch.cuda.synchronize()
    return took, bool((right == x.grad).all())


bad = []
for make in (cpu_loss, to_loss):
    row = {}
    for label, held in {"nothing": None, "calling": here, "forward's": side}.items():
        attempt(make, held)
        tries = [attempt(make, held) for _ in range(6)]
        row[label] = sorted(t for t, _ in tries)[3]
        print(f"{make.__name__}, held: {label}: backward() took the host {row[label] * 1e3:.2f} ms, gradient right {sum(r for _, r in tries)} of 6")
        if not all(r for _, r in tries):
            bad.append(f"{make.__name__}, {label} held: stale gradient")
    if row["calling"] > 0.008 and row["forward's"] < 0.008:
        bad.append(f"{make.__name__}: the backward copy ran in the calling stream")
    elif row["forward's"] > 0.008:
        bad.append(f"{make.__name__}: the host waited for the held forward's stream")
print(f"REFUTED: {bad}" if bad else "NOT REFUTED: .cpu() and .to('cpu') in the side stream, either stream held")
