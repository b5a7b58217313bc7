"""docs/devices/with_and_without.md, table "What replaces torch.cuda?": `Stream()`, `Event()`, `with stream(s):` -> `torch.Stream(device)`, `torch.Event(device)`, `with s:`.
Attack: what `with torch.cuda.stream(s)` allows: the same stream entered twice, nested in another, in two threads at once, of the second GPU,
after an error in the block; record_stream, a CUDA graph, wait_stream and elapsed_time with the generic classes.
Refuted if one works with torch.cuda and raises or restores wrongly with the generic ones."""
import threading

import torch

default = torch.cuda.current_stream()
x = torch.ones(4, device="cuda")


def generic(s):
    return s


def same_twice(make, enter):
    s = make()
    with enter(s):
        with enter(s):
            pass
        inner = torch.cuda.current_stream() == torch.cuda.Stream(stream_id=s.stream_id, device_index=s.device_index, device_type=s.device_type)
    return inner and torch.cuda.current_stream() == default


def two_threads(make, enter):
    s, errors, barrier = make(), [], threading.Barrier(2)

    def run():
        try:
            with enter(s):
                barrier.wait(2)
                (x + 1).sum()
                barrier.wait(2)
            ok = torch.cuda.current_stream().cuda_stream == 0
            if not ok:
                errors.append("not restored")
        except Exception as error:
            barrier.abort()
            errors.append(f"{type(error).__name__}: {str(error).splitlines()[0][:80]}")

    threads = [threading.Thread(target=run) for _ in range(2)]
    [t.start() for t in threads], [t.join() for t in threads]
    return errors or True


def after_error(make, enter):
    try:
        with enter(make()):
            raise ValueError
    except ValueError:
        return torch.cuda.current_stream() == default


def entered_again_later(make, enter):
    s = make()
    for _ in range(3):
        with enter(s):
            x.add_(0)
    return torch.cuda.current_stream() == default


def record_stream(make, enter):
    x.record_stream(make())
    return True


def second_gpu(make, enter):
    with torch.cuda.device(1):
        s = make()
    with enter(s):
        inside = torch.ones(1, device="cuda").device.index
    return inside == 1 and torch.cuda.current_device() == 0


def wait_stream(make, enter):
    s = make()
    s.wait_stream(torch.cuda.current_stream())
    torch.cuda.current_stream().wait_stream(s)
    return True


def graph(make, enter):
    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g, stream=make()):
        x.add_(1)
    g.replay()
    return True


worse = []
for case in (same_twice, two_threads, after_error, entered_again_later, record_stream, second_gpu, wait_stream, graph):
    said = {}
    for name, make, enter in (("cuda", torch.cuda.Stream, torch.cuda.stream), ("generic", lambda: torch.Stream("cuda"), generic)):
        try:
            said[name] = case(make, enter)
        except Exception as error:
            said[name] = f"{type(error).__name__}: {str(error).splitlines()[0][:100]}"
        torch.cuda.set_stream(default)
        torch.cuda.synchronize()
    print(case.__name__, said)
    if said["cuda"] is True and said["generic"] is not True:
        worse.append(f"{case.__name__}: {said['generic']}")
print(f"REFUTED: works with torch.cuda.stream(s), not with s: {worse}" if worse else "NOT REFUTED: eight uses of streams behave alike")
