"""
A graph keeps reading its own batch
===================================

How does a recorded step get a new batch? By a copy into the tensors of the recording. If another
tensor gets their name, the graph does not see it, and trains on the old batch without an error.
"""

# sphinx_gallery_evidence = {"expected_warnings": [".*capturable=True", ".*AccumulateGrad"]}
import torch
from torch import nn

has_gpu = torch.cuda.is_available()
device = "cuda" if has_gpu else "cpu"
torch.manual_seed(0)
x = (torch.rand(100, 2) * 2 - 1).to(device)  # stays where it is, as do the labels
y = (x.norm(dim=1) > 0.5).long() + (x.norm(dim=1) > 0.9).long()
model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, capturable=has_gpu)


def step():
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.detach()


def graphed(step):
    side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()  # warms up what a capture cannot
    torch.cuda.current_stream().wait_stream(side)
    with torch.cuda.graph(graph):
        loss = step()  # is recorded, and does not run

    def replay():
        graph.replay()
        return loss

    replay.of = step  # keeps its weights, whose memory the graph uses
    return replay


one_step = graphed(step) if has_gpu else step
for _ in range(100):
    new_x = (torch.rand(100, 2) * 2 - 1).to(device)
    new_y = (new_x.norm(dim=1) > 0.5).long() + (new_x.norm(dim=1) > 0.9).long()
    x.copy_(new_x)  # into the tensors that the graph reads
    y.copy_(new_y)
    loss = one_step()
print(f"loss {loss.item():.3f}")

# %%
# The wrong form. These labels are not those of the points, so a step that reads them has a larger
# loss than before.

recorded_x, recorded_y = x, y
before = loss.item()  # a number: each replay writes to the same loss
new_x, new_y = new_x.clone(), (new_y + 1) % 3
x, y = new_x, new_y  # wrong: the graph does not know the new tensors
assigned = one_step().item()
print(f"loss before {before:.3f}, with another batch assigned {assigned:.3f}")

# %%
# The right form, with the same batch.

recorded_x.copy_(new_x)
recorded_y.copy_(new_y)
copied = one_step().item()
print(f"loss with that batch copied {copied:.3f}")
if not has_gpu:
    print("no GPU here: a step without a graph sees both")

# %%
# For the record, what was printed.

losses = {"before_loss": before, "assigned_loss": assigned, "copied_loss": copied}
measured = {key: {"samples": [value]} for key, value in losses.items()}
