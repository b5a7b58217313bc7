"""
A collective must be awaited
============================

Do I have to wait for an ``all_reduce``? Not if it is called as usual: it runs in the current
stream. With ``async_op=True`` it runs in a stream of its own, and ``work.wait()`` makes the
current stream wait for it. The host goes on, and so does any other stream.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*deprecated"]}
import torch
import torch.distributed as dist

device = torch.device("cuda", 0)
torch.cuda.set_device(device)
store = dist.HashStore()  # a group of one rank needs no other
dist.init_process_group("nccl", store=store, rank=0, world_size=1, device_id=device)

mine = torch.ones(2**16, device=device)
all_of_them = torch.zeros_like(mine)  # from each rank its part
work = dist.all_gather_into_tensor(all_of_them, mine, async_op=True)
work.wait()  # the current stream waits; the host does not
print(all_of_them.sum().item())

# %%
# To see what waits, the collective is called in a side stream that sleeps first: until then it
# cannot begin. The sleep is a function private to PyTorch. Every kernel runs once before, because
# a first call loads it, which may take long enough to hide a race.

TRIES, CYCLES = 20, 20_000_000  # about ten milliseconds each
side, third = torch.cuda.Stream(), torch.cuda.Stream()


def late_gather(value, async_op=True):
    """Queue a collective that delivers the value, behind a sleep in the side stream."""
    mine.fill_(value)
    all_of_them.fill_(-1)
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.cuda._sleep(CYCLES)
        return dist.all_gather_into_tensor(all_of_them, mine, async_op=async_op)


def read_at_once(value):
    late_gather(value)
    return all_of_them.sum()


def read_after_wait(value):
    work = late_gather(value)
    work.wait()
    return all_of_them.sum()


def read_in_another_stream(value):
    work = late_gather(value)
    work.wait()
    with torch.cuda.stream(third):
        return all_of_them.sum()


def wait_in_that_stream(value):
    work = late_gather(value)
    with torch.cuda.stream(third):
        work.wait()
        return all_of_them.sum()


def overwrite_at_once(value):
    work = late_gather(value)
    mine.fill_(-2)  # the collective has not read it yet
    work.wait()
    return all_of_them.sum()


def overwrite_after_wait(value):
    work = late_gather(value)
    work.wait()
    mine.fill_(-2)
    return all_of_them.sum()


def plain_read_there(value):
    late_gather(value, async_op=False)
    with torch.cuda.stream(side):
        return all_of_them.sum()


def plain_read_elsewhere(value):
    late_gather(value, async_op=False)
    return all_of_them.sum()


# %%
# Which reads were wrong, and did the host get there while the side stream still slept?

WAYS = (read_at_once, read_after_wait, read_in_another_stream, wait_in_that_stream)
WAYS += (
    overwrite_at_once,
    overwrite_after_wait,
    plain_read_there,
    plain_read_elsewhere,
)
rows = []
for way in WAYS:
    way(0)
    torch.cuda.synchronize()
    wrong = early = 0
    for value in range(1, TRIES + 1):
        total = way(value)
        early += not side.query()
        torch.cuda.synchronize()
        wrong += total.item() != value * mine.numel()
    rows.append({"way": way.__name__, "wrong": wrong, "host_early": early})
    print(rows[-1])
dist.destroy_process_group()

measured = {"tries": TRIES, "by_way": {"table": rows}}
