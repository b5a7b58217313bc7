"""
A failed capture blocks the cache
=================================

What does a failed capture do to memory? The allocator believes that the capture still goes on: for
the rest of the process it gives no cached memory back, not even if memory runs out.
"""

# sphinx_gallery_evidence = {"fresh": True}
import torch

MIB = 2**20
x = torch.ones(16 * MIB, device="cuda")  # 64 MiB
x.add(1).sum().item()  # loads the kernels
pool = torch.cuda.graph_pool_handle()
graph = torch.cuda.CUDAGraph()
home = torch.cuda.current_stream()


def capture(graph, pool):
    with torch.cuda.graph(graph, pool=pool):
        x.add(1).sum().item()  # waits for the GPU: not allowed


def reserved():
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    return torch.cuda.memory_reserved()


# %%
# Three questions: does the memory of a deleted tensor go back to the driver? Is it used for a
# tensor of another size when memory is short? Is it used again if another stream had used it?

side = torch.cuda.Stream()
LIMIT = 1536 * MIB
torch.cuda.set_per_process_memory_fraction(LIMIT / torch.cuda.mem_get_info()[1])


def given_back():
    before = reserved()
    block = torch.empty(128 * MIB, dtype=torch.uint8, device="cuda")
    del block
    return before + 128 * MIB - reserved()


def fits_when_short():
    blocks = [torch.empty(96 * MIB, dtype=torch.uint8, device="cuda") for _ in range(8)]
    blocks.clear()
    try:
        torch.empty(768 * MIB, dtype=torch.uint8, device="cuda")
    except torch.OutOfMemoryError:
        return False
    return True


def reused_after_record():
    block = torch.empty(32 * MIB, dtype=torch.uint8, device="cuda")
    place = block.data_ptr()
    block.record_stream(side)
    del block
    torch.cuda.synchronize()
    return torch.empty(32 * MIB, dtype=torch.uint8, device="cuda").data_ptr() == place


def private():
    parts = torch.cuda.memory_snapshot()
    return sum(part["total_size"] for part in parts if any(part["segment_pool_id"]))


def answers(asked):
    row = {"asked": asked, "given_back_bytes": given_back(), "private_bytes": private()}
    row |= {"reused": reused_after_record(), "fits": fits_when_short()}
    reserved()
    return row


# %%
# Asked before the capture, after it has failed, and after the allocator was told, by two private
# functions, that the capture is over.

rows = [answers("before")]
try:
    capture(graph, pool)
except RuntimeError as error:
    print(error)
torch.cuda.set_stream(home)
del graph
rows.append(answers("failed"))
torch._C._cuda_endAllocateToPool(0, pool)
torch._C._cuda_releasePool(0, pool)
rows.append(answers("told"))
print(*rows, sep="\n")

# %%
# A second failure: can the same pool be used for another try?

again = torch.cuda.graph_pool_handle()
said = []
for _ in range(2):
    try:
        capture(torch.cuda.CUDAGraph(), again)
    except RuntimeError as error:
        said.append(str(error).splitlines()[0])
    torch.cuda.set_stream(home)

measured = {
    "by_time": {"table": rows},
    "second_try_says": said[1],
}
print(measured["second_try_says"])
