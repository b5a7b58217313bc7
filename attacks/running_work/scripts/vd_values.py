"""docs/devices/visible_devices.md: "A repeated entry hides every GPU", "A wrong entry ends the list", "UUIDs and indices do not mix"
(and "the process counts N": device_count() of a new process).
Attack: a repetition after a wrong entry, a GPU twice as index and UUID, a UUID twice, trailing text, other separators, names;
device_count() before CUDA starts against what CUDA then sees.
Refuted if a repeated entry leaves a GPU, a wrong one does not end the list, or device_count() counts GPUs that cannot be used."""
import json
import os

import torch

def forked(function, **environment):
    """The result of function in a forked process with these variables (CUDA is not yet used here)."""
    r, w = os.pipe()
    if os.fork() == 0:
        os.close(r)
        os.environ.update(environment)
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 2)
        try:
            out = function()
        except BaseException as error:
            out = {"failed": f"{type(error).__name__}: {error}".splitlines()[0][:150]}
        os.write(w, json.dumps(out).encode())
        os._exit(0)
    os.close(w)
    return os.fdopen(r)


def result(pipe):
    return json.loads(pipe.read())


every = os.environ.get("CUDA_VISIBLE_DEVICES", "0,1").split(",")[:2]
a, b = every


def look():
    before = torch.cuda.device_count()
    try:
        torch.cuda.init()
        after = torch._C._cuda_getDeviceCount()
        seen = [str(torch.cuda.get_device_properties(i).uuid) for i in range(after)]
    except Exception:
        after, seen = 0, []
    return {"before": before, "after": after, "uuids": seen}


uuids = result(forked(look, CUDA_VISIBLE_DEVICES=f"{a},{b}"))["uuids"]
assert len(uuids) == 2, uuids
u, v = (f"GPU-{uuid}" for uuid in uuids)
# value: what the page says is visible
VALUES = {
    f"{a},{b},{a}": [], f"{b},{b}": [], f"{u},{u}": [], f"{v},{v[:12]}": [],
    f"{a},99,{a}": [0], f"{a},{a},99": [], f"{a},-1,{a}": [0],
    f"{a},abc,{b}": [0], f"{a},,{b}": None, f"{a};{b}": None, f"{a}x,{b}": None, f"{a} {b}": None,
    f"{a},{v}": [0], f"{v},{a}": [1], f"{a},{u}": [0], f"0{b}": None, f"+{b}": None, f"{a},{b},": [0, 1],
    "abc": [], "GPU-": None, f"{b},99": [1],
}
running = {value: forked(look, CUDA_VISIBLE_DEVICES=value) for value in VALUES}
wrong = []
for value, pipe in running.items():
    row, said = result(pipe), VALUES[value]
    got = [uuids.index(uuid) for uuid in row["uuids"]]
    short = value.replace(u, "<uuid0>").replace(v, "<uuid1>")
    print(f"{short!r:28} page {said}, sees {got}; counts {row['before']} before, {row['after']} after CUDA starts")
    if said is not None and got != said:
        wrong.append(f"{short!r} sees {got} and not {said}")
    if row["before"] != row["after"]:
        wrong.append(f"{short!r} counts {row['before']} but has {row['after']}")
if wrong:
    print(f"REFUTED: {wrong}")
else:
    print(f"NOT REFUTED: {len(VALUES)} values, all as the page says, and counted alike before and after")
