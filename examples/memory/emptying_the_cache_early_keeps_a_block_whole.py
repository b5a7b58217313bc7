"""
Emptying the cache early keeps a block whole
============================================

Does ``empty_cache()`` help against "out of memory"? Not when it is called before the request that
fails: the allocator itself gives back what it can, and asks again. It can help if it is called
earlier, before a tensor that lives long takes a part of a large freed block.
"""

# sphinx_gallery_quiet = "nothing"
import torch

# %%
# The limit allows little more than the largest tensor takes.

MIB = 2**20
total = torch.cuda.get_device_properties(0).total_memory
torch.cuda.set_per_process_memory_fraction((256 * MIB + 1024) / total)


def make(mib):
    return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda")


def fits(mib):
    try:
        make(mib)
    except torch.OutOfMemoryError:
        return False
    return True


def retries():
    return torch.cuda.memory_stats()["num_alloc_retries"]


# %%
# The whole limit is reserved for two freed tensors, and neither block is large enough for a third.

one, two = make(128), make(128)
del one, two
cached = torch.cuda.memory_reserved()
before = retries()
fits_without_emptying = fits(200)
retried = retries() - before
torch.cuda.empty_cache()
print(f"{cached / MIB} MiB in the cache; 200 MiB fit: {fits_without_emptying}")

# %%
# A large tensor is freed, a smaller one is kept, and another large one is needed. When does it help
# to empty the cache?


def trial(when):
    torch.cuda.empty_cache()
    large = make(200)
    del large
    if when == "before the kept one":
        torch.cuda.empty_cache()
    kept = make(40)
    if when == "after the kept one":
        torch.cuda.empty_cache()
    reserved = torch.cuda.memory_reserved()
    fitted = fits(200)
    return {
        "emptied": when,
        "reserved_bytes": reserved,
        "kept_bytes": kept.nbytes,
        "fits": fitted,
    }


table = [trial(when) for when in ("never", "after the kept one", "before the kept one")]
print(*table, sep="\n")

# %%
# All counts and bytes are exact.

measured = {
    "cached_bytes": cached,
    "asked_bytes": 200 * MIB,
    "fits_without_emptying": fits_without_emptying,
    "retries": retried,
    "by_emptied": {"table": table},
}
