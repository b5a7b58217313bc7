"""
Pinned pages stay where they are
================================

Does ordinary memory really move while a program runs, and does pinned memory stay put?
Linux moves every page of an ordinary tensor to another physical location, unnoticed by
the program; it moves no page of a pinned one. It reveals these locations only to root.
"""

# sphinx_gallery_quiet = "nothing"
import ctypes
import mmap
import struct
from pathlib import Path

import torch

# %%
# Use a tensor in ordinary memory, in small pages, aligned so that a huge page may begin
# there.

SIZE, PAGE, HUGE = 8 * 2**20, 4096, 2**21  # bytes
HUGE_PAGES, SMALL_PAGES, COLLAPSE = 14, 15, 25  # what madvise(2) calls MADV_...
PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
system = ctypes.CDLL(None)


def advise(tensor, advice):
    address, size = ctypes.c_void_p(tensor.data_ptr()), ctypes.c_size_t(tensor.nbytes)
    return system.madvise(address, size, advice)


def in_small_pages():
    memory = mmap.mmap(-1, SIZE + HUGE, flags=PRIVATE)
    memory = torch.frombuffer(memory, dtype=torch.uint8)
    begin = -memory.data_ptr() % HUGE
    tensor = memory[begin : begin + SIZE]
    advise(tensor, SMALL_PAGES)
    return tensor.fill_(1)


# %%
# The frame number tells where in physical memory a page is.


def frames(tensor):
    with Path("/proc/self/pagemap").open("rb") as pages:
        pages.seek(tensor.data_ptr() // PAGE * 8)
        entries = pages.read(tensor.nbytes // PAGE * 8)
    return [entry & (2**55 - 1) for (entry,) in struct.iter_unpack("<Q", entries)]


# %%
# Linux merges small pages into huge ones, in its own time or immediately on request.
# Every page that it merges moves.


def moved_pages(tensor):
    before = frames(tensor)
    assert all(before), "Linux tells the numbers of frames to root only"
    advise(tensor, HUGE_PAGES)
    advise(tensor, COLLAPSE)
    return sum(one != two for one, two in zip(before, frames(tensor)))


# %%
# The ordinary tensor moves. The other one is pinned by registering it; once
# unregistered, it moves as well.

torch.cuda.init()
cudart = torch.cuda.cudart()
ordinary, registered = in_small_pages(), in_small_pages()
moved = {"ordinary": moved_pages(ordinary)}
code = cudart.cudaHostRegister(registered.data_ptr(), registered.nbytes, 0)
torch.cuda.check_error(code)
moved["registered"] = moved_pages(registered)
torch.cuda.check_error(cudart.cudaHostUnregister(registered.data_ptr()))
moved["unregistered"] = moved_pages(registered)
print(f"pages that moved, of {SIZE // PAGE}: {moved}")

# %%
# The program notices nothing: the same bytes are at the same addresses.

measured = {
    "pages": SIZE // PAGE,
    "moved_ordinary": moved["ordinary"],
    "moved_registered": moved["registered"],
    "moved_unregistered": moved["unregistered"],
    "unchanged": bool((ordinary == 1).all()),
}
