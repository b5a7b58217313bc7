"""
One graph runs a whole training step
====================================

Can a graph hold a whole step of mixed-precision training, the gradient scaler included? With a
fused optimizer that is capturable it can: nothing waits for the GPU, and the scale, the skipped
steps and the weights change in replays as they do without a graph.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*capturable=True", ".*AccumulateGrad"]}
# sphinx_gallery_quiet = "nothing"
import torch

torch.manual_seed(0)
layers = torch.nn.Linear(64, 256), torch.nn.Tanh(), torch.nn.Linear(256, 10)
model = torch.nn.Sequential(*layers).cuda()
adam = torch.optim.AdamW(model.parameters(), 1e-3, fused=True, capturable=True)
scaler = torch.amp.GradScaler("cuda", 1024.0, growth_interval=5)
x, target = torch.randn(128, 64).cuda(), torch.randint(10, (128,)).cuda()


def step(model, adam, scaler):
    adam.zero_grad()
    with torch.autocast("cuda", torch.float16):
        loss = torch.nn.functional.cross_entropy(model(x), target)
    scaler.scale(loss).backward()
    scaler.step(adam)
    scaler.update()
    return loss.detach()


# %%
# A few steps in a side stream warm everything up, then one is captured.

side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    for _ in range(3):
        step(model, adam, scaler)
torch.cuda.current_stream().wait_stream(side)
adam.zero_grad()
with torch.cuda.graph(graph):
    loss = step(model, adam, scaler)

# %%
# The same batches, with the graph and without it. Three of them hold a value that FP16 cannot hold:
# their steps must be skipped, and the scale must fall. Twins take the steps without a graph; the
# capture has changed no value. (A copy of a fused optimizer would wait: ``deepcopy`` drops a flag.)

from copy import deepcopy

twin = deepcopy(model)
twin_adam = torch.optim.AdamW(twin.parameters(), 1e-3, fused=True, capturable=True)
twin_adam.load_state_dict(deepcopy(adam.state_dict()))
twins = twin, twin_adam, deepcopy(scaler)
STEPS, BAD = 30, (7, 8, 20)
data = torch.randn(STEPS, 128, 64).cuda()
labels = torch.randint(10, (STEPS, 128)).cuda()
data[BAD, 0, 0] = 1e5


def weights(model):
    return torch.nn.utils.parameters_to_vector(model.parameters()).detach().clone()


def train(model, scaler, one_step):
    scales, moved, now = [], [], weights(model)
    for batch, wanted in zip(data, labels):
        x.copy_(batch)  # to where the captured batch was
        target.copy_(wanted)
        one_step()
        scales.append(scaler.get_scale())
        before, now = now, weights(model)
        moved.append(not torch.equal(before, now))
    return scales, moved, now.double()


begin = weights(model).double()
scales, moved, end = train(model, scaler, graph.replay)
eager_scales, eager_moved, eager_end = train(twin, twins[2], lambda: step(*twins))
error = (end - eager_end).norm() / (eager_end - begin).norm()
print(scales)


def same(some, others):
    return sum(a == b for a, b in zip(some, others))


measured = {
    "steps": STEPS,
    "bad": len(BAD),
    "skipped": moved.count(False),
    "scales_same": same(scales, eager_scales),
    "moved_same": same(moved, eager_moved),
    "scales_seen": len({*scales}),
    "error_share": error.item(),
}
print(measured)
