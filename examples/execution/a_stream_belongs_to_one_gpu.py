"""
A stream belongs to one GPU
===========================

What does a stream mean for the tensors of another GPU? Nothing: inside the stream's block, work on
a tensor of another GPU goes to that GPU's own current stream. A stream can wait for a stream of
another GPU.
"""

# sphinx_gallery_evidence = {"gpus": 2}
import torch

side = torch.cuda.Stream(device="cuda:1")
x, y = (torch.zeros(2**20, device=f"cuda:{number}") for number in range(2))
side.wait_stream(torch.cuda.current_stream("cuda:1"))  # y is ready
with torch.cuda.stream(side):
    y.add_(1)  # in the side stream
    x.add_(1)  # in the current stream of the other GPU
torch.cuda.current_stream("cuda:1").wait_stream(side)
print(x.sum().item(), y.sum().item())

# %%
# A kernel that only sleeps holds a stream of either GPU, and a tensor is changed in the block of
# the side stream. Is the change done while the stream is still held? ``torch.cuda._sleep`` is
# private to PyTorch and may change.

TRIES, HOLD = 20, 20_000_000  # the second in cycles: some milliseconds
defaults = [torch.cuda.default_stream(number) for number in range(2)]


def attempt(held, tensor, awaited):
    for number in range(2):
        torch.cuda.synchronize(number)
    with torch.cuda.stream(held):
        torch.cuda._sleep(HOLD)
        late = held.record_event()
    if awaited:
        side.wait_stream(held)
    with torch.cuda.stream(side):
        tensor.add_(1)
        done = torch.cuda.current_stream(tensor.device).record_event()
    done.synchronize()
    return not late.query()


# %%
# The tensors are on both GPUs. The held stream is the side stream or the first GPU's default
# stream; in one case, the side stream waits for that default stream.

CASES = {
    "own_gpu": (side, y, False),
    "other_gpu": (side, x, False),
    "other_default": (defaults[0], x, False),
    "across": (defaults[0], y, False),
    "across_awaited": (defaults[0], y, True),
}
for case in CASES.values():
    attempt(*case)  # not counted: the first launch of a kernel waits
table = []
for name, case in CASES.items():
    table.append({"case": name, "overtook": sum(attempt(*case) for _ in range(TRIES))})
    print(table[-1])

# %%
# Record the counts of tries, and whether the two GPUs have one default stream.

measured = {"tries": TRIES, "by_case": {"table": table}}
measured["defaults_equal"] = defaults[0] == defaults[1]
print(defaults)
