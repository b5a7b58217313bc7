"""Attacks on processes.md; one H200, about 20 s."""
import os, signal, subprocess, sys, time
import torch

CHILD = """
import sys, time, torch
mode, size = sys.argv[1:]
if mode == "copy":
    h = torch.ones(2**28, dtype=torch.uint8).pin_memory(); d = h.cuda()
    work = lambda: d.copy_(h, non_blocking=True)
elif mode == "sleep":
    work = lambda: torch.cuda._sleep(5_000_000)
else:
    a = torch.randn(int(size), int(size), device="cuda"); work = lambda: a @ a
for _ in range(3): work()
torch.cuda.synchronize(); print("ready", flush=True)
end = time.time() + 6
while time.time() < end:
    work(); torch.cuda.synchronize()
"""


def child(*args):
    p = subprocess.Popen([sys.executable, "-c", CHILD, *args], stdout=subprocess.PIPE, text=True)
    p.stdout.readline()
    return p


a, tiny = torch.randn(4096, 4096, device="cuda"), torch.zeros(1, device="cuda")


def seconds(work, calls):
    for _ in range(3):
        work()
    torch.cuda.synchronize()
    t = time.perf_counter()
    for _ in range(calls):
        work()
        torch.cuda.synchronize()
    return (time.perf_counter() - t) / calls


base = seconds(lambda: a @ a, 50), seconds(lambda: tiny.add_(1), 100)
print(f"alone: product {base[0]*1e3:.2f} ms, tiny {base[1]*1e6:.0f} us")
for others in ([("matmul", "4096")], [("matmul", "8192")], [("sleep", "0")], [("copy", "0")],
               [("matmul", "4096")] * 2):
    ps = [child(*o) for o in others]
    found = seconds(lambda: a @ a, 50), seconds(lambda: tiny.add_(1), 100)
    print(f"beside {others}: product x{found[0]/base[0]:.2f}, tiny x{found[1]/base[1]:.0f} ({found[1]*1e3:.2f} ms)", flush=True)
    for p in ps:
        p.kill(), p.wait()

free = torch.cuda.mem_get_info()[0]
p = child("matmul", "8192")
less = free - torch.cuda.mem_get_info()[0]
os.kill(p.pid, signal.SIGKILL)
p.wait()
gone = [(t, free - torch.cuda.mem_get_info()[0]) for t in (0, .1, .5, 1) if time.sleep(t) is None]
bad = gone[-1][1] > 0
print(f"verdict: {'REFUTED' if bad else 'NOT REFUTED'} memory-of-an-ended-process-is-back: {less} while it ran, then {gone}")
