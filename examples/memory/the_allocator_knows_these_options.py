"""
The allocator knows these options
=================================

Which options does the allocator have? Every name in PyTorch's library that may be one is tried,
and so are all that the documentation lists. A name that it knows is then tried in the environment
variable of a fresh program, with values within its limits and beyond.
"""

# sphinx_gallery_evidence = {"timeout": 120}
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

# %%
# Candidates: lower-case names with an underscore in the two libraries that read the options.

folder = Path(torch.__file__).parent / "lib"
words = set()
for library in ("libc10.so", "libc10_cuda.so"):
    found = re.findall(rb"[A-Za-z0-9_]+", (folder / library).read_bytes())
    words |= {word.decode() for word in found if len(word) < 60}
NAME = r"[a-z][a-z0-9]*(_[a-z0-9]+)+"
candidates = {word for word in words if re.fullmatch(NAME, word)}

# %%
# The names that the newest documentation lists, with the default that it gives, if any.

LISTED = """
backend native, max_split_size_mb unlimited, roundup_power2_divisions -,
max_non_split_rounding_mb 20, garbage_collection_threshold 1.0, expandable_segments False,
large_segment_size_mb 20, pinned_use_cuda_host_register False, pinned_num_register_threads 1,
pinned_use_background_threads False, pinned_reserve_segment_size_mb -,
pinned_max_round_threshold_mb disabled, pinned_max_cached_size_mb disabled,
graph_capture_record_stream_reuse False, per_process_memory_fraction -,
throw_on_cudamalloc_oom False
"""
DOCUMENTED = dict(item.split() for item in LISTED.split(","))
asked = sorted(candidates | set(DOCUMENTED))
ASK = """
import json, sys, torch
torch.cuda.init()
known = []
for name in json.load(sys.stdin):
    try:
        torch._C._accelerator_setAllocatorSettings(f"{name}:x")
    except Exception as error:
        if "Unrecognized key" in str(error):
            continue
    known.append(name)
print(json.dumps(known))
"""
pipes = {"capture_output": True, "text": True}
reply = subprocess.run([sys.executable, "-c", ASK], input=json.dumps(asked), **pipes)
known = json.loads(reply.stdout)
print(f"{len(known)} of {len(asked)} names: {known}")

# %%
# Values for each known name: some that should do, and some that should not.

TRIED = """
max_split_size_mb 20 19; roundup_power2_divisions 1 4 [64:2,128:4] 3;
max_non_split_rounding_mb 20 19; garbage_collection_threshold 0.01 0.99 0 1.0;
large_segment_size_mb 11 10; pinned_num_register_threads 1 128 3 256;
pinned_reserve_segment_size_mb 1 0; per_process_memory_fraction 0 1 1.5;
backend native cudaMallocAsync other
"""
VALUES = {item.split()[0]: item.split()[1:] for item in TRIED.split(";")}
FLAGS = ["True", "False", "true"]
tries = [(name, value) for name in known for value in VALUES.get(name, FLAGS)]
tries += [(name, "1") for name in DOCUMENTED if name not in known]


def accept(name, value):
    environment = os.environ | {"PYTORCH_ALLOC_CONF": f"{name}:{value}"}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    program = "import torch; torch.cuda.init(); torch.cuda.current_stream()"
    done = subprocess.run([sys.executable, "-c", program], env=environment, **pipes)
    lines = done.stderr.strip().splitlines()
    return lines[-1][:200] if done.returncode else "accepted"


with ThreadPoolExecutor(8) as pool:
    replies = list(pool.map(lambda pair: accept(*pair), tries))

# %%
# Exact: which names are known, which values they take, and what is said of the others.

answers = list(zip(tries, replies, strict=True))
taken = [pair for pair, said in answers if said == "accepted"]
refused = [(*pair, said) for pair, said in answers if said != "accepted"]
COLUMNS = "option", "value", "reply"


def row(name):
    takes = ", ".join(value for other, value in taken if other == name)
    refuses = ", ".join(value for other, value, _ in refused if other == name)
    default = DOCUMENTED.get(name, "not listed")
    found = {"documented": default, "takes": takes, "refuses": refuses}
    return {"option": name, "known": name in known} | found


measured = {
    "by_option": {"table": [row(name) for name in sorted({*known, *DOCUMENTED})]},
    "refused": {"table": [dict(zip(COLUMNS, r, strict=True)) for r in refused]},
    "known": len(known),
    "unlisted": len(set(known) - set(DOCUMENTED)),
    "listed": len(DOCUMENTED),
    "listed_unknown": len(set(DOCUMENTED) - set(known)),
    "in_the_library": len(set(known) & candidates),
    "confirmed": len({name for name, _ in taken} & set(known)),
}
