"""When is it NOT safe to drop a pinned source or target? Views through numpy, DLPack, registered memory.

Expect: a tensor of pin_memory and its views: never wrong. Through torch.from_numpy(pinned.numpy()) dropped: right if
the pointer is the block's first byte, WRONG for an offset view (the allocator finds no block for that address): this
would limit pinned-source-may-be-dropped. Registered memory: not freed by torch, so old pages. Target dropped: a new
pinned tensor must not receive the late bytes.
"""
import json, traceback
import torch

COUNT, TRIES = 2**20, 10


def hold():
    torch.cuda.synchronize()
    torch.cuda._sleep(20_000_000)


def plain():
    return torch.zeros(COUNT, pin_memory=True)


def numpy_whole():
    return torch.from_numpy(torch.zeros(COUNT, pin_memory=True).numpy())


def numpy_offset():
    return torch.from_numpy(torch.zeros(COUNT, pin_memory=True).numpy()[1024:])


def view_offset():
    return torch.zeros(COUNT, pin_memory=True)[1024:]


def dlpack_offset():
    return torch.from_dlpack(torch.zeros(COUNT, pin_memory=True)[1024:])


def dlpack_whole():
    return torch.from_dlpack(torch.zeros(COUNT, pin_memory=True))


def frombuffer_offset():
    return torch.frombuffer(memoryview(torch.zeros(COUNT, pin_memory=True).numpy()), dtype=torch.float32, offset=4096)


def module_load():
    return torch.nn.Parameter(torch.zeros(COUNT, pin_memory=True), requires_grad=False).data


def detach_view():
    return torch.zeros(COUNT, pin_memory=True).view(1024, -1)[8:].detach()


def emit(**kw):
    print(json.dumps(kw), flush=True)


for make in (plain, view_offset, detach_view, module_load, numpy_whole, numpy_offset, dlpack_whole, dlpack_offset, frombuffer_offset):
    try:
        wrong = same = 0
        for _ in range(TRIES):
            host = make()
            pinned, address = host.is_pinned(), host.data_ptr()
            hold()
            gpu = host.to("cuda", non_blocking=True)
            del host
            new = torch.ones(COUNT, pin_memory=True)
            same += new.data_ptr() <= address < new.data_ptr() + 4 * COUNT
            torch.cuda.synchronize()
            wrong += bool(gpu.any())
        emit(case="source_dropped", make=make.__name__, pinned=pinned, block_reused=same, wrong=wrong, tries=TRIES)
    except Exception as e:
        emit(case="source_dropped", make=make.__name__, error=repr(e)[:300])
gpu = torch.full((COUNT,), 7.0, device="cuda")
for make in (plain, view_offset, numpy_whole, numpy_offset, dlpack_offset):
    try:
        wrong = same = 0
        for _ in range(TRIES):
            host = make()
            address = host.data_ptr()
            hold()
            host.copy_(gpu[: host.numel()], non_blocking=True)
            del host
            new = torch.ones(COUNT, pin_memory=True)
            same += new.data_ptr() <= address < new.data_ptr() + 4 * COUNT
            torch.cuda.synchronize()
            wrong += bool((new != 1).any())
        emit(case="target_dropped", make=make.__name__, block_reused=same, wrong=wrong, tries=TRIES)
    except Exception as e:
        emit(case="target_dropped", make=make.__name__, error=repr(e)[:300])
