"""
index_add repeats instead of raising
====================================

Does ``index_add_`` raise in deterministic mode, as the notes on reproducibility show? Their line
raises for another reason, in either mode; on the GPU, ``index_add_`` has a deterministic form.
"""

# sphinx_gallery_quiet = "nothing"
import torch


def error_of(line):
    try:
        line()
    except (RuntimeError, IndexError) as error:
        return error
    return "none"


def of_the_notes():
    torch.randn(2, 2).cuda().index_add_(0, torch.tensor([0, 1]), torch.randn(2, 2))


torch.use_deterministic_algorithms(True)
print("the line of the notes:", error_of(of_the_notes))

# %%
# The line keeps its index and its source in host memory. Here they are on the GPU, and then there
# is a tensor without dimensions, which has one place.


def on_the_gpu():
    index, source = torch.tensor([0, 1]), torch.randn(2, 2)
    torch.randn(2, 2).cuda().index_add_(0, index.cuda(), source.cuda())


def without_a_dimension():
    one = torch.tensor(1.0, device="cuda")
    one.index_add_(0, torch.tensor(0, device="cuda"), torch.tensor(2.0, device="cuda"))


LINES = of_the_notes, on_the_gpu, without_a_dimension
errors = [error_of(line) for line in LINES]
print(*errors, sep="\n")

# %%
# Without the switch, the line of the notes raises as well.

torch.use_deterministic_algorithms(False)
off = [error_of(line) for line in LINES]
print(*off, sep="\n")
measured = {
    "notes": errors[0],
    "notes_without": off[0],
    "on_the_gpu": str(errors[1]),
    "scalar": errors[2],
    "scalar_without": str(off[2]),
}
