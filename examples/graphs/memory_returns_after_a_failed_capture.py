"""
Memory returns after a failed capture
=====================================

What does a failed capture do to memory? Nothing that lasts: once its graph is deleted, the
allocator gives cached memory back as before, and the pool can take another capture. Before PyTorch
2.14, the allocator believed that the capture still went on.
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
# Asked before the capture, and after it has failed and its graph was deleted.

rows = [answers("before")]
try:
    capture(graph, pool)
except RuntimeError as error:
    print(error)
torch.cuda.set_stream(home)
del graph
rows.append(answers("failed"))
print(*rows, sep="\n")

# %%
# A second failure: can the same pool be used for another try?

again, second, said, right = torch.cuda.graph_pool_handle(), None, "nothing", False
try:
    capture(torch.cuda.CUDAGraph(), again)
except RuntimeError:
    torch.cuda.set_stream(home)
try:
    second = torch.cuda.CUDAGraph()
    with torch.cuda.graph(second, pool=again):
        y = x.add(1)
    second.replay()
    right = bool((y == 2).all())
except RuntimeError as error:
    said = str(error).splitlines()[0]

measured = {"by_time": {"table": rows}}
measured |= {"second_try_says": said, "second_try_right": right}
print(said, right)
