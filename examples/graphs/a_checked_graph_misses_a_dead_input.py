"""
A checked graph misses a dead input
===================================

Can a graph notice that its input was deleted? Yes, with ``check_input_liveness=True``: once the
memory of an input is gone, a replay raises an error. It does not notice an input that is
merely no longer in use.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 120, "expected_warnings": [".*"]}
# sphinx_gallery_quiet = "nothing"
import torch


def capture(checked):
    x = torch.ones(1000, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, check_input_liveness=checked):
        y = x * 2
    return graph, y  # and x is deleted


torch.ones(1, device="cuda") * 2  # loads the kernel
for checked in (False, True):
    graph, y = capture(checked)
    try:
        graph.replay()
        print("no error")
    except RuntimeError as error:
        print(str(error).splitlines()[0])

# %%
# Between capture and replay, something happens to a model or its input. Is there an error, and if
# not, is the replay right?

SIZE, TRIES = 256, 5


class Parts:
    def __init__(self):
        self.base = torch.ones(2 * SIZE, SIZE, device="cuda")
        self.x = self.base[:SIZE]
        self.model = torch.nn.Linear(SIZE, SIZE).cuda().requires_grad_(False)


def view_deleted(parts):
    parts.x = parts.base[:SIZE]


def input_replaced(parts):
    parts.x, parts.base = torch.full_like(parts.x, 3), None


def weights_loaded(parts, assign=False):
    new = {name: weight + 1 for name, weight in parts.model.state_dict().items()}
    parts.model.load_state_dict(new, assign=assign)


def weights_assigned(parts):
    weights_loaded(parts, assign=True)


def model_moved_and_back(parts):
    parts.model.cpu()
    parts.kept = [torch.zeros(SIZE, SIZE, device="cuda") for _ in range(4)]
    parts.model.cuda()


def weights_assigned_but_kept(parts):
    parts.kept = list(parts.model.parameters())
    weights_assigned(parts)


def attempt(change, checked):
    parts, graph = Parts(), torch.cuda.CUDAGraph()
    parts.model(parts.x)
    with torch.cuda.graph(graph, check_input_liveness=checked):
        y = parts.model(parts.x)
    change(parts)
    try:
        graph.replay()
    except RuntimeError as error:
        return "raised" if "dead tensor" in str(error) else "failed"
    return "right" if torch.allclose(y, parts.model(parts.x)) else "wrong"


CHANGES = (view_deleted, input_replaced, weights_loaded, weights_assigned)
rows = []
for change in (*CHANGES, weights_assigned_but_kept, model_moved_and_back):
    row = {"change": change.__name__}
    for name, checked in {"checked": True, "unchecked": False}.items():
        seen = {attempt(change, checked) for _ in range(TRIES)}
        row[name] = " or ".join(sorted(seen))
    rows.append(row)
print(*rows, sep="\n")

# %%
# A compiled function fuses four kernels. How many does its graph have, checked and unchecked?

from torch.profiler import ProfilerActivity, profile


@torch.compile
def fused(x):
    return (x * 2).sin().exp().cos()


def kernels(checked):
    x, graph = torch.ones(1000, device="cuda"), torch.cuda.CUDAGraph()
    fused(x), x.sin().exp().cos()  # loads all kernels
    with torch.cuda.graph(graph, check_input_liveness=checked):
        fused(x)
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as seen:
        graph.replay()
        torch.cuda.synchronize()
    return sum(event.device_type.name == "CUDA" for event in seen.events())


measured = {"tries": TRIES, "by_change": {"table": rows}}
measured |= {"unchecked_kernels": kernels(False), "checked_kernels": kernels(True)}
print(measured)
