"""Page: execution/sanitizer.md. "It does know the host's other waits" (other than asking until a stream was done).
Attack: right programs in which a call in the side stream makes the host wait for it, and the current stream reads afterwards:
nonzero, unique, masked select, cpu(), tolist(), bool(), equal, inv (its check), repeat_interleave, bincount, stream.synchronize in
another thread, event of another process-like kind (blocking), synchronize of the ExternalStream wrapper, a host callback-free
to(cpu, non_blocking) + event. Whether the host really waited is measured with the side stream held, before the sanitizer is on.
Refuted if the sanitizer reports a race although the host had waited.
"""
import io
import re
import threading
from contextlib import redirect_stderr, suppress
import torch
from torch.cuda._sanitizer import CUDASanitizerErrors, enable_cuda_sanitizer

side = torch.cuda.Stream()
wrapper = torch.cuda.ExternalStream(side.cuda_stream)
x, y = torch.zeros(1000, device="cuda"), torch.ones(1000, device="cuda")
eye, counts = torch.eye(8, device="cuda"), torch.arange(1000, device="cuda") % 5
blocking = torch.cuda.Event(blocking=True)


def in_thread():
    thread = threading.Thread(target=side.synchronize); thread.start(); thread.join()


WAITS = {
    "item": lambda: y[0].item(), "cpu": lambda: y.cpu(), "tolist": lambda: y.tolist(), "bool": lambda: bool(y[0] > 0),
    "nonzero": lambda: y.nonzero(), "unique": lambda: torch.unique(counts), "mask": lambda: y[y > 0], "equal": lambda: torch.equal(y, y),
    "inv": lambda: torch.linalg.inv(eye), "repeat_interleave": lambda: torch.repeat_interleave(counts, counts),
    "bincount": lambda: torch.bincount(counts), "unique_consecutive": lambda: torch.unique_consecutive(counts),
    "stream.synchronize": side.synchronize, "wrapper.synchronize": wrapper.synchronize, "in a thread": in_thread,
    "blocking event": lambda: (blocking.record(), blocking.synchronize()), "device": torch.cuda.synchronize,
    "accelerator": torch.accelerator.synchronize, "from pageable memory": lambda: torch.ones(2**20).cuda(),
    "cudart": lambda: torch.cuda.cudart().cudaStreamSynchronize(side.cuda_stream) if hasattr(torch.cuda.cudart(), "cudaStreamSynchronize") else side.synchronize(),
}


def program(wait, hold):
    with torch.cuda.stream(side):
        if hold:
            torch.cuda._sleep(hold)
        x.zero_()
        done = side.record_event() if hold else None
        wait()
    waited = done.query() if hold else None
    x.sum()
    return waited


really = {}
for name, wait in WAITS.items():
    program(wait, 1000); torch.cuda.synchronize()
    really[name] = program(wait, 20_000_000)
    torch.cuda.synchronize()


def blamed(race, *arguments):
    torch.cuda.synchronize()
    with redirect_stderr(io.StringIO()) as text, suppress(CUDASanitizerErrors):
        race(*arguments)
    torch.cuda.synchronize()
    return " after ".join(re.findall(r"^aten::\w+", text.getvalue(), re.M)) or "nothing"


enable_cuda_sanitizer()
if blamed(program, lambda: None, 0) == "nothing":
    raise RuntimeError("control: the sanitizer is off")
bad = []
for name, wait in WAITS.items():
    report = blamed(program, wait, 0)
    print(f"{name}: the host waited {really[name]}, the sanitizer reports {report}")
    if really[name] and report != "nothing":
        bad.append(f"{name}: {report}")
print(f"REFUTED: right programs reported although the host had waited: {bad}" if bad else f"NOT REFUTED: {len(WAITS)} ways to wait")
