"""
index_add repeats instead of raising
====================================

Does ``index_add_`` raise in deterministic mode, as the notes on reproducibility show? Their line
raises for another reason, in either mode; on the GPU, ``index_add_`` has a deterministic form.
"""

import torch


def error_of(line):
    try:
        line()
    except RuntimeError as error:
        return error
    return "none"


def of_the_notes():
    torch.randn(2, 2).cuda().index_add_(0, torch.tensor([0, 1]), torch.randn(2, 2))


torch.use_deterministic_algorithms(True)
print("the line of the notes:", error_of(of_the_notes))

# %%
# The line keeps its index and its source in host memory. Here they are on the GPU.


def on_the_gpu():
    index, source = torch.tensor([0, 1]), torch.randn(2, 2)
    torch.randn(2, 2).cuda().index_add_(0, index.cuda(), source.cuda())


errors = [error_of(line) for line in (of_the_notes, on_the_gpu)]
print(*errors, sep="\n")

# %%
# Without the switch, the line of the notes raises as well.

torch.use_deterministic_algorithms(False)
measured = {
    "notes": errors[0],
    "notes_without": error_of(of_the_notes),
    "on_the_gpu": str(errors[1]),
}
