"""offload.md, line 340.
Sentence: So hooks of your own cost little only where a layer computes for longer than the link needs for what it saves.
Attack: The page's hooks, full FP32, widths at which a layer's forward takes 0.6 to 1.0 of the time that the link needs for what it saves (backward computes twice as long).
Expect: Refuted: at 0.7 to 0.95 the forward is stretched to the link's time, backward hides its copies, and the step takes 1.1 to 1.35 times as long.
Refuted if: at some width the layer's forward is shorter than 0.95 of the copy of what it saves, and the step takes at most 1.4 times the plain one (the bound of offloading-beside-costs-little)
"""
import json, time
import torch

SENTENCE = 'So hooks of your own cost little only where a layer computes for longer than the link needs for what it saves.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

from contextlib import nullcontext
from statistics import median
from torch.autograd.graph import saved_tensors_hooks

LARGE = 2**20
on_host, leaving, back, stay = [], [], {}, set()
side = None


def copy(source, target):
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        target.copy_(source, non_blocking=True)
        return side.record_event()


def pack(tensor):
    if tensor.nbytes < LARGE or tensor.untyped_storage().data_ptr() in stay:
        return tensor
    for index, other, _ in leaving:
        if tensor.is_set_to(other):
            return index
    on_host.append(torch.empty_like(tensor, device="cpu", pin_memory=True))
    leaving.append((len(on_host) - 1, tensor, copy(tensor, on_host[-1])))
    if len(leaving) > 2:
        leaving.pop(0)[-1].synchronize()
    return len(on_host) - 1


def unpack(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    back.pop(packed + 1, None)
    for index in (packed, max(packed - 1, 0)):
        if index not in back:
            target = torch.empty_like(on_host[index], device="cuda")
            back[index] = target, copy(on_host[index], target)
    tensor, arrived = back[packed]
    torch.cuda.current_stream().wait_event(arrived)
    leaving.clear()
    return tensor


def step(net, batch, context):
    net.zero_grad(set_to_none=False)
    on_host.clear(), back.clear()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    with context():
        loss = net(batch).square().mean()
    loss.backward()
    torch.cuda.synchronize()
    return time.perf_counter() - begin


def gpu_ms(call, n=10):
    call()
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for _ in range(n):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / n


def main():
    global side
    side = torch.cuda.Stream()
    rows = []
    for width, batch_size in ((2048, 2048), (1792, 4096), (1536, 4096), (1280, 4096), (1152, 8192), (1024, 8192)):
        pairs = [(torch.nn.Linear(width, width), torch.nn.ReLU()) for _ in range(8)]
        net = torch.nn.Sequential(*(m for p in pairs for m in p)).cuda()
        batch = torch.rand(batch_size, width, device="cuda")
        stay.clear()
        stay.update(t.untyped_storage().data_ptr() for t in (batch, *net.parameters()))
        hooks = lambda: saved_tensors_hooks(pack, unpack)
        for _ in range(4):
            step(net, batch, nullcontext), step(net, batch, hooks)
        with torch.no_grad():
            layer_ms = gpu_ms(lambda: net[1](net[0](batch)))
        host = torch.empty(batch_size, width, pin_memory=True)
        link_ms = gpu_ms(lambda: host.copy_(batch, non_blocking=True))
        rounds = [(step(net, batch, nullcontext), step(net, batch, hooks)) for _ in range(6)]
        row = {"width": width, "batch": batch_size, "layer_over_link": round(layer_ms / link_ms, 3),
               "slowdown": round(median(b / a for a, b in rounds), 3), "plain_ms": round(median(a for a, _ in rounds) * 1e3, 2)}
        show(**row)
        rows.append(row)
    return any(r["layer_over_link"] < 0.95 and r["slowdown"] <= 1.4 for r in rows), rows


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
