"""
The allocator knows these options
=================================

Which options does the allocator have? Names in PyTorch's library that may be one are tried.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

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

# %%
# Values, some of which should not do, are tried in one program, but those of ``backend``.

TRIED = """max_split_size_mb 20 19; roundup_power2_divisions 1 4 [64:2,128:4] 3;
max_non_split_rounding_mb 20 19; garbage_collection_threshold 0.01 0.99 0 1.0;
large_segment_size_mb 11 10; pinned_num_register_threads 1 128 3 256;
pinned_reserve_segment_size_mb 1 0; per_process_memory_fraction 0 1 1.5;
pinned_max_round_threshold_mb 128 True; pinned_max_cached_size_mb 128 True;
expandable_segments_reserve 0.5 16G True;
expandable_segments_reserve_by_class [tiny:0.05] True;
backend native cudaMallocAsync other"""
VALUES = {item.split()[0]: item.split()[1:] for item in TRIED.split(";")}
FLAGS = ["True", "False", "true"]
ASK = f"""
import json, sys, torch
torch.cuda.init()

change = torch._C._accelerator_setAllocatorSettings
def reply(name, value):
    change("large_segment_size_mb:20")  # other limits depend on it
    try:
        change(name + ":" + value)
    except Exception as error:
        return type(error).__name__ + ": " + str(error).splitlines()[0]
    return "accepted"

names = json.load(sys.stdin)
known = [name for name in names if "Unrecognized key" not in reply(name, "x")]
tries = [(n, v) for n in known if n != "backend" for v in {VALUES}.get(n, {FLAGS})]
print(json.dumps([known, [[*pair, reply(*pair)] for pair in tries]]))
"""
pipes = {"capture_output": True, "text": True}
asked = json.dumps(sorted(candidates | set(DOCUMENTED)))
reply = subprocess.run([sys.executable, "-c", ASK], input=asked, **pipes)
known, answers = json.loads(reply.stdout)
print(known)

# %%
# A fresh program for each name and its first value, for listed ones not known, and one misspelt.


def accept(name, value):
    environment = os.environ | {"PYTORCH_ALLOC_CONF": f"{name}:{value}"}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    program = "import torch; torch.cuda.init(); torch.cuda.current_stream()"
    done = subprocess.run([sys.executable, "-c", program], env=environment, **pipes)
    error = re.sub(" in .* config.", "", done.stderr.strip().rpartition("\n")[2])
    return name, value, error if done.returncode else "accepted"


fresh = [(n, VALUES.get(n, FLAGS)[0]) for n in known if n != "backend"]
fresh += [("backend", value) for value in VALUES["backend"]]
fresh += [(n, "1") for n in ("expandable_segment", *DOCUMENTED) if n not in known]
with ThreadPoolExecutor(len(fresh)) as pool:
    confirmed = list(pool.map(lambda pair: accept(*pair), fresh))

# %%
# Exact: which names are known, which values they take, and what is said of the others.

answers += [a for a in confirmed if a[0] == "backend" or a[0] not in known]
taken = [answer[:2] for answer in answers if answer[2] == "accepted"]
refused = [answer for answer in answers if answer[2] != "accepted"]


def row(name):
    takes = ", ".join(value for other, value in taken if other == name)
    refuses = ", ".join(value for other, value, _ in refused if other == name)
    found = {"documented": DOCUMENTED.get(name, "not listed"), "takes": takes}
    return {"option": name, "known": name in known, **found, "refuses": refuses}


measured = {
    "by_option": {"table": [row(name) for name in sorted({*known, *DOCUMENTED})]},
    "refused": {"table": [{"setting": f"{n}:{v}", "reply": r} for n, v, r in refused]},
    "known": len(known),
    "unlisted": len(set(known) - set(DOCUMENTED)),
    "listed": len(DOCUMENTED),
    "listed_unknown": len(set(DOCUMENTED) - set(known)),
    "in_the_library": len(set(known) & candidates),
    "confirmed": len({name for name, _, said in confirmed if said == "accepted"}),
}
