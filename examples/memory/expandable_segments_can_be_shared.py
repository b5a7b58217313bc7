"""
Expandable segments can be shared
=================================

Can another process use a tensor that lies in an expandable segment? Here it can. The other process
takes a file descriptor from the first one, which some systems forbid; an ordinary segment needs
none.
"""

# sphinx_gallery_quiet = "nothing"
import json
import os
import subprocess
import sys

# %%
# The program hands a tensor to a process that it starts, which reads it. An error there would leave
# the first process waiting, so that it waits for half a minute at most.

PROGRAM = """
import json, operator, torch
import torch.multiprocessing as mp

x = torch.arange(4, device="cuda")
(segment,) = torch.cuda.memory_snapshot()
got, said = None, "no error"
with mp.get_context("spawn").Pool(1) as pool:
    try:
        got = pool.map_async(operator.methodcaller("tolist"), [x]).get(timeout=30)
    except Exception as error:
        said = type(error).__name__
print(json.dumps([segment["is_expandable"], got == [x.tolist()], said]))
"""
SETTINGS = {"default": "", "expandable": "expandable_segments:True"}


def start(setting):
    environment = os.environ | {"PYTORCH_ALLOC_CONF": setting}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


programs = {name: start(setting) for name, setting in SETTINGS.items()}
table = []
for name, program in programs.items():
    expandable, arrived, said = json.loads(program.communicate()[0].splitlines()[-1])
    row = {"setting": name, "expandable": expandable, "arrived": arrived}
    table.append(row | {"raised": said})
    print(table[-1])

# %%
# Did the numbers arrive?

measured = {"by_setting": {"table": table}}
