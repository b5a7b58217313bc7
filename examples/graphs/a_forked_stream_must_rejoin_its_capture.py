"""
A forked stream must rejoin its capture
=======================================

May a capture use several streams? It may, if each of them first waits for the stream of the
capture, and that stream waits for it in the end. A stream that does not wait is not captured at
all: its work runs once, and never again in a replay.
"""

# sphinx_gallery_evidence = {"fresh": True}
import torch

x = torch.ones(1000, device="cuda")
double, total = torch.empty_like(x), torch.empty_like(x)
torch.add(torch.mul(x, 2, out=double), x, out=total)  # loads the kernels
side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    here = torch.cuda.current_stream()
    side.wait_stream(here)  # the capture forks
    with torch.cuda.stream(side):
        torch.mul(x, 2, out=double)
    here.wait_stream(side)  # and is joined again
    torch.add(double, x, out=total)
x.fill_(3)
graph.replay()
print(total[0].item())

# %%
# The same work in three ways. All tensors exist beforehand, so that nothing allocates memory.


def forked_and_joined():
    here = torch.cuda.current_stream()
    side.wait_stream(here)
    with torch.cuda.stream(side):
        torch.mul(x, 2, out=double)
    here.wait_stream(side)
    torch.add(double, x, out=total)


def not_forked():
    with torch.cuda.stream(side):
        torch.mul(x, 2, out=double)
    torch.add(double, x, out=total)


def not_joined():
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.mul(x, 2, out=double)


# %%
# In each try, the input is new. A replay is right if the sum is three times the input.

TRIES = 20


def right_replays(work):
    graph = torch.cuda.CUDAGraph()
    x.fill_(-1)
    with torch.cuda.graph(graph):
        work()
    right = 0
    for value in range(TRIES):
        x.fill_(value)
        graph.replay()
        right += (total == 3 * value).all().item()
    return {"way": work.__name__, "right": right}


rows = [right_replays(work) for work in (forked_and_joined, not_forked)]
print(*rows, sep="\n")

# %%
# A capture that is not joined cannot end. It comes last, since it spoils the process.

home, says = torch.cuda.current_stream(), "nothing"
try:
    right_replays(not_joined)
except RuntimeError as error:
    says = str(error).splitlines()[0]
torch.cuda.set_stream(home)

measured = {"tries": TRIES, "by_way": {"table": rows}, "unjoined_says": says}
print(says)
