"""Page: execution/races.md. "a stream waits for another one only if you tell it to"; streams.md: "work in two streams runs
in any order, or at the same time. Switching streams waits for nothing."
Attack: many streams over few hardware queues: one stream is held by a kernel that only sleeps and has 300 more kernels
queued behind it; 127 other streams get one small kernel each. With the default number of connections, and with
CUDA_DEVICE_MAX_CONNECTIONS=1, each in a process and on a GPU of its own.
Refuted if a stream that nobody told to wait is not done while the one is held.
"""
import json
import os
import subprocess
import sys

CHILD = """
import json, time, torch
streams = [torch.cuda.Stream(priority=p) for p in (0, -1, -2, -3) for _ in range(32)]
x = [torch.zeros(1024, device="cuda") for _ in streams]
def go(held, backlog):
    torch.cuda.synchronize()
    with torch.cuda.stream(streams[held]):
        torch.cuda._sleep(60_000_000)
        over = streams[held].record_event()
        for _ in range(backlog):
            x[held].add_(1)
    events = []
    for i, s in enumerate(streams):
        if i != held:
            with torch.cuda.stream(s):
                x[i].add_(1)
            events.append(s.record_event())
    time.sleep(0.005)
    done = sum(e.query() for e in events)
    valid = not over.query()
    torch.cuda.synchronize()
    return valid, done
go(0, 10)
print(json.dumps({f"held {h}, backlog {b}": [go(h, b) for _ in range(3)] for h in (0, 5, 40) for b in (0, 300)}))
"""


def start(gpu, connections):
    env = dict(os.environ, CUDA_VISIBLE_DEVICES=gpu)
    env.pop("CUDA_DEVICE_MAX_CONNECTIONS", None)
    if connections:
        env["CUDA_DEVICE_MAX_CONNECTIONS"] = connections
    return subprocess.Popen([sys.executable, "-c", CHILD], env=env, stdout=subprocess.PIPE, text=True)


children = {"default": start("0", None), "1 connection": start("1", "1")}
bad = []
for label, child in children.items():
    out = child.communicate(timeout=30)[0]
    if child.returncode:
        raise RuntimeError(f"{label}: exit {child.returncode}")
    for case, tries in json.loads(out).items():
        print(label, case, "[held long enough, done of 127]", tries)
        valid = [done for ok, done in tries if ok]
        if not valid:
            print("   not valid: the hold was over")
        elif max(valid) < 127:
            bad.append(f"{label}, {case}: {max(valid)} of 127 done")
print(f"REFUTED: streams waited that nobody told to: {bad}" if bad else "NOT REFUTED: 127 streams beside a held one with a backlog, 1 and default connections")
