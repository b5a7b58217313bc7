"""Page: execution/races.md. "A test that waits after each step does not show the race".
Attack: a test whose steps are real ones: some matmuls, fill, sum in the side stream without waiting, then
torch.cuda.synchronize() after every step (and before it). Warmed up. Refuted if sums are wrong in a step of such a test.
"""
import torch

side = torch.cuda.Stream()
a, factor = torch.zeros(100, 100, device="cuda"), torch.randn(1024, 1024, device="cuda")


def step(products, size):
    for _ in range(products):
        factor @ factor
    size.fill_(1)
    with torch.cuda.stream(side):
        return size.sum()


wrong = {}
big = torch.zeros(2**28, device="cuda")
for name, products, target in (("0 matmuls", 0, a), ("4 matmuls", 4, a), ("16 matmuls", 16, a), ("1 GiB, no matmul", 0, big)):
    step(products, target); torch.cuda.synchronize()
    count = 0
    for _ in range(20):
        target.zero_()
        torch.cuda.synchronize()  # the test waits before and after each step
        total = step(products, target)
        torch.cuda.synchronize()
        count += total.item() < 0.99 * target.numel()
    wrong[name] = count
    print(f"a test that waits after each step, {name}: wrong in {count} of 20")
if max(wrong.values()):
    print(f"REFUTED: a test that waits after each step shows the race where a step queues work ahead: {wrong}")
else:
    print(f"NOT REFUTED: {wrong}")
