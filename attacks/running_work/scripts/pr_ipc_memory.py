"""docs/execution/processes.md: "Once the other process had ended, all its memory was free again." (memory-of-an-ended-process-is-back)
Attack: the other process shares a 2 GiB tensor with this one (torch.multiprocessing, CUDA IPC) and ends while this one has it open; control: one that shares nothing,
killed in the middle of a kernel.
Refuted if memory of the ended process is still taken a second after its end."""
import gc
import os
import signal
import time

import torch
import torch.multiprocessing as mp

GIB = 1 << 30
context = mp.get_context("fork")


def share(queue, ready, finish):
    kept = torch.full((2 * GIB,), 3, dtype=torch.uint8, device="cuda")
    torch.cuda.synchronize()
    queue.put(kept)
    ready.recv()
    os._exit(0)


def work(ready):
    ready.recv()
    kept = torch.full((2 * GIB,), 3, dtype=torch.uint8, device="cuda")
    torch.cuda.synchronize()
    torch.cuda._sleep(8_000_000_000)
    ready.send(kept.numel())
    time.sleep(60)


queue = context.SimpleQueue()
end, other_end = context.Pipe()
first_end, second_end = context.Pipe()
sharer = context.Process(target=share, args=(queue, other_end, None), daemon=True)
worker = context.Process(target=work, args=(second_end,), daemon=True)
worker.start()  # rests, without CUDA, until it is told


def free():
    return torch.cuda.mem_get_info()[0]


sharer.start()
shared = queue.get()
value = int(shared[-1])
during = free()
end.send("end")
sharer.join(3)
time.sleep(0.5)
after = free()
still = int(shared[123])
print(f"sharer: exit code {sharer.exitcode}; {(after - during) / GIB:.2f} GiB came back at its end; still readable here: {still == 3}")
del shared
gc.collect()
torch.cuda.ipc_collect()
closed = free()
print(f"after this process closed it, {(closed - after) / GIB:.2f} GiB more came back")

before = free()
first_end.send("go")
first_end.recv()
taken = before - free()
os.kill(worker.pid, signal.SIGKILL)
worker.join(3)
time.sleep(0.5)
back = free() - before
print(f"worker killed in a kernel: took {taken / GIB:.2f} GiB, {back / GIB:+.2f} GiB against before, half a second after its end")
kept_shared = closed - after > 1.5 * GIB
kept_killed = back < -GIB
if kept_shared or kept_killed:
    print(f"REFUTED: memory of an ended process is still taken: shared and open here {kept_shared}, killed in a kernel {kept_killed}")
else:
    print("NOT REFUTED: a tensor shared by CUDA IPC, and a process killed in the middle of a kernel")
