"""
The second step has the higher peak
===================================

Does a first step that fits prove that training fits? No: Adam allocates its state at the end of the
first step, so backward of the second one is the first that runs beside it. A peak belongs to a step
only if the statistics were reset before that step.
"""

import torch

LAYERS, WIDTH, ROWS = 4, 1024, 2048
torch.manual_seed(0)
layers = [torch.nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(LAYERS)]
model = torch.nn.Sequential(*layers).to("cuda")
batch = torch.randn(ROWS, WIDTH, device="cuda")
model(batch).sum().backward()  # not counted: the libraries take their workspaces
model.zero_grad()
optimizer = torch.optim.Adam(model.parameters(), foreach=False)
for step in range(3):
    torch.cuda.reset_peak_memory_stats()
    model(batch).square().mean().backward()
    backward_peak = torch.cuda.max_memory_allocated()
    optimizer.step()
    optimizer.zero_grad()
    print(f"step {step}: {backward_peak / 2**20:.1f} MiB")

# %%
# The same steps again with an optimizer that has no state yet, in one loop that resets the peak
# before each step, and in one that does not. The last batches are smaller. What a step of the
# optimizer leaves allocated is its state.

SIZES = (2048, 2048, 1024, 256)


def peaks(resets):
    optimizer = torch.optim.Adam(model.parameters(), foreach=False)
    found, left = [], []
    torch.cuda.reset_peak_memory_stats()
    for rows in SIZES:
        if resets:
            torch.cuda.reset_peak_memory_stats()
        model(batch[:rows]).square().mean().backward()
        found.append(torch.cuda.max_memory_allocated())
        before = torch.cuda.memory_allocated()
        optimizer.step()
        left.append(torch.cuda.memory_allocated() - before)
        optimizer.zero_grad()
    return found, left


(alone, left), (running, _) = peaks(True), peaks(False)
rows = []
for number, sizes in enumerate(zip(SIZES, alone, running, strict=True), 1):
    names = ("rows", "peak_bytes", "without_a_reset_bytes")
    rows.append({"step": number} | dict(zip(names, sizes, strict=True)))
    print(rows[-1])
print("the optimizer's steps left", left)

# %%
# A reset sets the peak to what is allocated at that moment, and not to zero.

torch.cuda.reset_peak_memory_stats()
reset_is_current = torch.cuda.max_memory_allocated() == torch.cuda.memory_allocated()

# %%
# The allocator counts on the host, when a line is called. Reading the peak need not wait for the
# GPU, and gives the same while the GPU is still busy (the sleeping kernel is private to PyTorch).

TRIES = 10
busy = same = 0
for _ in range(TRIES):
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    torch.cuda._sleep(50_000_000)
    model(batch)
    early = torch.cuda.max_memory_allocated()
    busy += not torch.cuda.current_stream().query()
    torch.cuda.synchronize()
    same += early == torch.cuda.max_memory_allocated()

measured = {
    "by_step": {"table": rows},
    "second_minus_first_bytes": rows[1]["peak_bytes"] - rows[0]["peak_bytes"],
    "state_bytes": left[0],
    "second_state_bytes": left[1],
    "reset_is_current": reset_is_current,
    "tries": TRIES,
    "busy": busy,
    "same": same,
}
