"""
A capture stays on its GPU
==========================

Can I capture on the second GPU? You can, if you give a stream of that GPU. Without one, the capture
takes place in the stream of the first capture in the process, on the GPU that was current then:
work on another GPU runs at once, and the graph is empty.
"""

# sphinx_gallery_evidence = {"gpus": 2, "fresh": True, "expected_warnings": [".*Graph is empty.*"]}
import torch

second = torch.device("cuda", 1)
x = torch.ones(1000, device=second)
x * 2  # loads the kernel
graph = torch.cuda.CUDAGraph()
with torch.cuda.device(second):
    stream = torch.cuda.Stream()
    with torch.cuda.graph(graph, stream=stream):
        y = x * 2
x.fill_(3)
torch.cuda.synchronize(second)
graph.replay()
print(y[0].item())

# %%
# Captures on the second GPU after the first GPU has had one, without a stream and with one. The
# warning about an empty graph is caught.

import warnings

TRIES = 20


def fresh_results(**options):
    graph = torch.cuda.CUDAGraph()
    x.fill_(-1)
    with warnings.catch_warnings(record=True) as caught, torch.cuda.device(second):
        warnings.simplefilter("always")
        with torch.cuda.graph(graph, **options):
            y = x * 2
    fresh = 0
    for value in range(TRIES):
        x.fill_(value)
        torch.cuda.synchronize(second)
        graph.replay()
        torch.cuda.synchronize(0)
        torch.cuda.synchronize(second)
        fresh += y[0].item() == 2 * value
    said = [str(one.message) for one in caught if "empty" in str(one.message)]
    return {"fresh": fresh, "said": said[0].split(".")[0] if said else "nothing"}


def on_the_first():
    graph, z = torch.cuda.CUDAGraph(), torch.ones(1000, device="cuda:0")
    z * 2
    with torch.cuda.graph(graph):
        z * 2
    return graph


rows = []
other = (
    on_the_first()
)  # the stream for all later captures is made here, on the first GPU
rows.append({"capture": "without a stream"} | fresh_results())
rows.append({"capture": "with a stream"} | fresh_results(stream=stream))
print(*rows, sep="\n")

# %%
# Which GPU does that stream belong to?

measured = {
    "tries": TRIES,
    "by_capture": {"table": rows},
    "device_of_the_stream": str(torch.cuda.graph.default_capture_stream.device),
}
print(measured["device_of_the_stream"])
