"""docs/execution/processes.md: "PyTorch caches memory for each process, but torch.cuda.empty_cache() in one process also returns the unused cached blocks of the other one, if that process is idle."
Attack: another process caches 4 GiB (a tensor made and deleted) and then rests; this one, with CUDA in use, calls empty_cache() three times; then the other calls it itself (control).
Refuted if the free memory of the GPU does not rise and the other process still reserves its 4 GiB, until it empties its cache itself."""
import time
from multiprocessing import Pipe, get_context

import torch

GIB = 1 << 30


def obey(pipe):
    pipe.recv()
    torch.empty(4 * GIB, dtype=torch.uint8, device="cuda")
    torch.cuda.synchronize()
    pipe.send(torch.cuda.memory_reserved())
    for word in iter(pipe.recv, "end"):
        if word == "empty":
            torch.cuda.empty_cache()
        pipe.send(torch.cuda.memory_reserved())


pipe, other_end = Pipe()
other = get_context("fork").Process(target=obey, args=(other_end,), daemon=True)
other.start()


def tell(word):
    pipe.send(word)
    return pipe.recv()


x = torch.ones(1000, device="cuda")
x.sum().item()
torch.cuda.empty_cache()
cached = tell("make")
before = torch.cuda.mem_get_info()[0]
for _ in range(3):
    torch.cuda.empty_cache()
    torch.accelerator.empty_cache()
    time.sleep(0.2)
after = torch.cuda.mem_get_info()[0]
kept = tell("how much?")
left = tell("empty")
freed = torch.cuda.mem_get_info()[0]
pipe.send("end")
print(f"other process: cached {cached / GIB:.2f} GiB, after empty_cache() here {kept / GIB:.2f}, after its own {left / GIB:.2f}")
print(f"free memory rose by {(after - before) / GIB:.2f} GiB after empty_cache() here, by {(freed - after) / GIB:.2f} after its own")
assert cached >= 4 * GIB and freed - after > 3 * GIB, "the control failed"
if kept == cached and after - before < GIB:
    print("REFUTED: empty_cache() here left the idle process its 4 GiB; only its own empty_cache() returned them")
else:
    print("NOT REFUTED: tried an idle process with 4 GiB cached, and empty_cache() of torch.cuda and torch.accelerator here")
