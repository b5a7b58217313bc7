"""docs/execution/asynchronous.md: "Each kernel takes one place, whatever it does: ... matmuls returned", "Events take places, too";
docs/execution/which_calls_wait.md: "Assigning to one element waited in 0 tries for a number", "torch.multinomial waited in 3 of 3",
"With validate_args=False ... rsample() does not [wait]" (for Normal(x, 1.0)); docs/devices/visible_devices.md: "After torch.cuda.init(), it found 1".
Attack: measure again; the records beside the scripts say otherwise (matmul 510, events 3000, 3, 0, 3, and 0 GPUs).
Refuted if at least one of the six sentences is false here."""
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


def late_count():
    torch.cuda.init()
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    return {"count": torch.cuda.device_count()}


count = result(forked(late_count))["count"]
x, event = torch.rand(8, 8, device="cuda"), torch.cuda.Event()


def waits(run):
    waited = 0
    for number in range(5):
        torch.cuda.synchronize()
        torch.cuda._sleep(20_000_000)
        event.record()
        run()
        waited += event.query() if number > 1 else 0
    return waited


def assign():
    x[0, 0] = 1


waited = {
    "x[0, 0] = 1": waits(assign),
    "multinomial": waits(lambda: torch.multinomial(x + 1, 1)),
    "rsample": waits(lambda: torch.distributions.Normal(x, 1.0, validate_args=False).rsample()),
}
small, a, b, c = torch.zeros(1, device="cuda"), *torch.zeros(3, 256, 256, device="cuda")
events = [torch.cuda.current_stream().record_event() for _ in range(2000)]


def queued(call):
    call(0)
    torch.cuda.synchronize()
    torch.cuda._sleep(80_000_000)
    event.record()
    for number in range(2000):
        call(number)
        if event.query():
            return number
    return 2000


places = {
    "add": queued(lambda _: small.add_(1)),
    "matmul": queued(lambda _: torch.mm(a, b, out=c)),
    "events": queued(lambda n: events[n].record()),
}
print("GPUs counted after init and hiding:", count, "waited of 3:", waited, "places:", places)
false = []
if abs(places["matmul"] - places["add"]) > 20:
    false.append(f"a matmul takes more than one place ({places['matmul']} against {places['add']})")
if not 900 <= places["events"] <= 1100:
    false.append(f"{places['events']} of 2000 record() returned")
if waited["x[0, 0] = 1"]:
    false.append("x[0, 0] = 1 waits")
if not waited["multinomial"]:
    false.append("multinomial does not wait")
if waited["rsample"]:
    false.append("Normal(x, 1.0, validate_args=False).rsample() waits")
if count != 1:
    false.append(f"device_count() is {count} after init() and hiding")
print(f"REFUTED: {false}" if false else "NOT REFUTED: all six sentences measured again")
