"""
Some blocks leave autocast on
=============================

Where does an autocast block begin and end? The innermost block counts, and its end restores
what was before. Some forms break that: a decorated function that calls itself, one block
that is entered twice, and blocks inside of generators.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
x, y = torch.randn(2, 8, 8, device=device)

with torch.autocast(device.type, dtype=torch.bfloat16):
    with torch.autocast(device.type, enabled=False):
        print("inner block, off:", (x @ y).dtype)
    print("outer block again:", (x @ y).dtype)
print("after the blocks: ", (x @ y).dtype)

# %%
# The type of a product tells what autocast does at that place.

BF16 = {"device_type": device.type, "dtype": torch.bfloat16}
rows = []


def product():
    return str((x @ y).dtype).removeprefix("torch.")


def note(place, dtype=None):
    rows.append({"place": place, "dtype": dtype or product()})
    print(f"{place:>24}: {rows[-1]['dtype']}")


with torch.autocast(**BF16):
    with torch.autocast(device.type, dtype=torch.float16):
        note("inner block, FP16")
    with torch.autocast(device.type, enabled=False):
        note("inner block, off")
    note("block again")
note("after")
try:
    with torch.autocast(**BF16):
        raise KeyError
except KeyError:
    note("after an exception")

# %%
# As a decorator, autocast covers the calls of a function, but not what a generator does later.


@torch.autocast(**BF16)
def decorated():
    return product()


@torch.autocast(**BF16)
def decorated_generator():
    yield product()


def generator_with_block():
    with torch.autocast(**BF16):
        yield product()


note("decorated", decorated())
note("after decorated")
note("decorated generator", next(decorated_generator()))
generator = generator_with_block()
note("block in a generator", next(generator))
note("between two values")
generator.close()
note("generator closed")

# %%
# A decorator holds one instance, which stores what to restore. A second entry overwrites that.
# Autocast is switched off after each try, as the block should have done.

TRIES = 20


@torch.autocast(**BF16)
def decorated_recursion(depth):
    return product() if depth == 0 else decorated_recursion(depth - 1)


def block_in_recursion(depth):
    with torch.autocast(**BF16):
        return product() if depth == 0 else block_in_recursion(depth - 1)


def one_instance_twice(_):
    block = torch.autocast(**BF16)
    with block, block:
        return product()


def left_on(run, depth=1):
    run(depth)
    is_on = torch.is_autocast_enabled(device.type)
    torch.set_autocast_enabled(device.type, False)
    return is_on


def two_generators(_):
    first, second = generator_with_block(), generator_with_block()
    next(first), next(second)
    first.close(), second.close()


FORMS = (decorated_recursion, block_in_recursion, one_instance_twice, two_generators)
measured = {"places": {"table": rows}, "tries": TRIES}
for run in FORMS:
    measured[run.__name__] = sum(left_on(run) for _ in range(TRIES))
    print(f"{run.__name__}: left on {measured[run.__name__]} of {TRIES}")
measured["called_once"] = sum(left_on(decorated_recursion, 0) for _ in range(TRIES))
