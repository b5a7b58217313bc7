"""Attack: 'torchrun ended the other rank before its sleep was over, named the rank, and returned 1' for two agents."""
# LONG 100; no GPU needed (gloo, CPU)
import os, socket, subprocess, sys, tempfile, time
from pathlib import Path

NAP = 12
PROGRAM = f"""
import os, time, torch, torch.distributed as dist
rank = int(os.environ["RANK"])
dist.init_process_group("gloo")
x = torch.ones(1); dist.all_reduce(x)
print("ready", rank, int(x), flush=True)
if rank == int(os.environ["BAD"]):
    raise ValueError("something else")
time.sleep({NAP})
print("slept", rank, flush=True)
os._exit(0)
"""
folder = Path(tempfile.mkdtemp())
(folder / "program.py").write_text(PROGRAM)

def free():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def trial(kind, bad_node):
    port, agents, env = free(), [], os.environ | {"BAD": "0", "OMP_NUM_THREADS": "1"}
    for node in range(2):
        how = ["--rdzv-backend", "c10d", "--rdzv-endpoint", f"127.0.0.1:{port}", "--rdzv-id", "a"]
        how += ["--rdzv-conf", f"is_host={int(node == 0)}"]
        if kind == "static":
            how = ["--node-rank", str(node), "--master-addr", "127.0.0.1", "--master-port", str(port)]
        command = [sys.executable, "-m", "torch.distributed.run", "--nnodes", "2", "--nproc-per-node", "2"]
        given = env | {"BAD": str(2 * bad_node + 1)}
        out, err = (open(folder / f"{kind}{bad_node}{node}{x}", "w+") for x in "oe")
        agents.append((subprocess.Popen([*command, *how, str(folder / "program.py")], env=given, stdout=out, stderr=err), out, err))
    begin, ended = time.time(), {}
    while len(ended) < 2 and time.time() - begin < NAP + 20:  # an exit barrier alone would take 300 s
        ended |= {n: time.time() for n, a in enumerate(agents) if n not in ended and a[0].poll() is not None}
        time.sleep(0.1)
    waits = [a[0].poll() is None for a in agents]
    [a[0].kill() for a, still in zip(agents, waits) if still]  # its ranks have ended: they slept
    texts = []
    for process, out, err in agents:
        code = process.wait()
        texts.append((code, *[Path(f.name).read_text() for f in (out, err)]))
    slept = [t[1].count("slept") for t in texts]
    named = [("(local_rank: 1)" in t[2], "closing signal SIGTERM" in t[2]) for t in texts]
    ready = sum(t[1].count("ready") for t in texts)
    return {"rdzv": kind, "bad_node": bad_node, "ready": ready, "codes": [t[0] for t in texts], "slept": slept, "agent_still_waits": waits,
            "named,ended": named, "said": [t[2].strip().splitlines()[-1:] for t in texts]}


rows = [trial(*one) for one in (("c10d", 0), ("c10d", 1), ("static", 0), ("static", 1))]
print(*rows, sep="\n", flush=True)
assert all(row["ready"] == 4 for row in rows), "some rank never began"
late = [(row["rdzv"], row["bad_node"]) for row in rows if any(row["slept"])]
print(f"REFUTED ranks of the other agent slept to the end: {late}" if late else "HOLDS all were ended")
