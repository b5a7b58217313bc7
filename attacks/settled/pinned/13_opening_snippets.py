"""The opening snippets as they will stand; expects each to run and print what its comment says."""
import traceback
A = '''
import time

import torch

batches = [torch.randn(4096, 1024) for _ in range(8)]
pinned = torch.empty(4096, 1024, pin_memory=True)  # once, outside the loop
copied = torch.cuda.Event()

begin = time.perf_counter()
for batch in batches:
    copied.synchronize()  # the GPU has read the last batch
    pinned.copy_(batch)
    gpu = pinned.to("cuda", non_blocking=True)
    copied.record()
    result = gpu.square().mean()
print(result.item(), time.perf_counter() - begin)
'''
B = '''
import time

import torch

numbers = torch.randn(16, 2**20)
for step in range(4):
    begin = time.perf_counter()
    batch = numbers.pin_memory().to("cuda", non_blocking=True)
    torch.cuda.synchronize()
    made = torch.cuda.host_memory_stats()["num_host_alloc"]
    print(f"{time.perf_counter() - begin:.4f} s, {made} blocks made")
'''
for name, text in (("A", A), ("B", B)):
    try: print(name); exec(text, {})
    except BaseException: traceback.print_exc()
