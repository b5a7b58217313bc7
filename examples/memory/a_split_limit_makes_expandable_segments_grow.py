"""
A split limit makes expandable segments grow
============================================

Is it safe to set ``max_split_size_mb`` beside ``expandable_segments``? Free memory in an
expandable segment joins to large blocks, and the split limit then keeps smaller tensors out of
them: the segment grows, although half of it or more is free.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys
import textwrap

# %%
# Each round makes four tensors and keeps a small one, as a loop does that keeps its results. The
# small one stands behind the four, which are deleted: what they leave cannot join what comes next.

PROGRAM = textwrap.dedent("""
    import json, torch
    MIB, ROUNDS = 2**20, 8

    def make(mib):
        return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda")

    kept, reserved = [], []
    for _ in range(ROUNDS):
        four = [make(32) for _ in range(4)]
        kept.append(make(2))
        del four
        reserved.append(torch.cuda.memory_reserved())
    print(json.dumps([reserved, torch.cuda.max_memory_allocated()]))
""")

# %%
# Either option alone, both, and none.

WAYS = {
    "none": "",
    "max_split": "max_split_size_mb:64",
    "expandable": "expandable_segments:True",
    "both": "expandable_segments:True,max_split_size_mb:64",
}


def start(options):
    environment = os.environ | {"PYTORCH_ALLOC_CONF": options}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


running = {way: start(options) for way, options in WAYS.items()}
reserved, live = {}, {}
for way, process in running.items():
    out, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{way}: {process.returncode}")
    reserved[way], live[way] = json.loads(out)
    print(f"{way:>12}: {reserved[way][-1] / 2**20:.0f} MiB after the last round,")
    print(f"{'':>12}  at most {live[way] / 2**20:.0f} MiB in use")

# %%
# Exact: bytes that are reserved after each round, and the most that were in use at any moment.

rounds = len(reserved["both"])
table = [
    {"round": number + 1} | {f"{way}_bytes": reserved[way][number] for way in WAYS}
    for number in range(rounds)
]
measured = {
    "by_round": {"table": table},
    "rounds": rounds,
    "live_bytes": live["both"],
    "most_live_alone_bytes": max(live["expandable"], live["max_split"]),
}
