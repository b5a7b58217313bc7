"""
A copy between GPUs leaves two side streams
===========================================

How does a copy to another GPU run beside other work? The copy waits for the current stream of each
GPU, so both have to be side streams. A side stream on the source GPU alone does not help where the
target is busy, but the copy is right even if its memory was given back only just before.
"""

# sphinx_gallery_evidence = {"gpus": 2}
import torch

x = torch.ones(2**22, device="cuda:0")
sides = [torch.cuda.Stream(device=number) for number in range(2)]
sides[0].wait_stream(torch.cuda.current_stream(0))  # x is filled
with torch.cuda.stream(sides[0]), torch.cuda.stream(sides[1]):
    y = x.to("cuda:1")  # waits for the two side streams
here = torch.cuda.current_stream(1)
here.wait_stream(sides[1])
y.record_stream(here)
print(y.sum().item())

# %%
# A kernel that only sleeps holds the current stream of either GPU. ``torch.cuda._sleep`` is
# private to PyTorch and may change.

TRIES, HOLD = 20, 20_000_000  # the second in cycles: some milliseconds


def held(number):
    with torch.cuda.device(number):
        torch.cuda._sleep(HOLD)
        return torch.cuda.current_stream().record_event()


def copy_in_one_side_stream():
    with torch.cuda.stream(sides[0]):
        return x.to("cuda:1"), sides[0].record_event()


def copy_in_two_side_streams():
    with torch.cuda.stream(sides[0]), torch.cuda.stream(sides[1]):
        return x.to("cuda:1"), sides[1].record_event()


# %%
# Does the copy finish while each of the GPUs is still busy?


def idle():
    for number in range(2):
        torch.cuda.synchronize(number)


def is_beside(copy, busy):
    idle()
    late = [held(number) for number in busy]
    _, copied = copy()
    copied.synchronize()
    beside = not any(event.query() for event in late)
    idle()
    return beside


# %%
# A tensor on the second GPU is deleted while a late change to it is pending, and the copy gets its
# memory. Is the copy right?


def is_wrong():
    old = torch.zeros_like(x, device="cuda:1")
    idle()
    held(1)
    old.add_(2)
    address = old.data_ptr()
    del old
    y, _ = copy_in_one_side_stream()
    reused = y.data_ptr() == address
    idle()
    return (y != 1).any().item(), reused


CASES = {
    "source": (copy_in_one_side_stream, [0]),
    "target": (copy_in_one_side_stream, [1]),
    "both": (copy_in_two_side_streams, [0, 1]),
}
for case in CASES.values():
    is_beside(*case), is_wrong()  # not counted: loads the kernels, fills the cache
table = []
for name, case in CASES.items():
    table.append({"busy": name, "beside": sum(is_beside(*case) for _ in range(TRIES))})
    print(table[-1])
wrong, reused = map(sum, zip(*(is_wrong() for _ in range(TRIES))))
print(f"memory reused {reused}, wrong {wrong} of {TRIES}")

# %%
# Record the counts of tries.

measured = {"tries": TRIES, "by_busy": {"table": table}}
measured |= {"wrong": wrong, "reused": reused}
