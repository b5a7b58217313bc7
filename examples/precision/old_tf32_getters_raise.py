"""
Old TF32 getters raise
======================

PyTorch has two generations of TF32 switches. Can a program use both? It can set both. But
once the new matmul switch is set, reading the old ones raises, wherever that happens; once a
new cuDNN switch is set, reading the old cuDNN flag may raise. The new ones can be read.
"""

# sphinx_gallery_quiet = "nothing"
from pathlib import Path

import torch

# %%
# Set the new switch, as a training script would.

torch.backends.cuda.matmul.fp32_precision = "tf32"

# %%
# A library used by that script reads the old flag, perhaps to log it.


def attempt(getter):
    try:
        answer = getter()
    except RuntimeError as error:
        answer = error
    print(repr(answer)[:88])
    return answer


old_flag = attempt(lambda: torch.backends.cuda.matmul.allow_tf32)
old_precision = attempt(torch.get_float32_matmul_precision)
new_setting = attempt(lambda: torch.backends.cuda.matmul.fp32_precision)
torch.backends.cuda.matmul.fp32_precision = "none"

# %%
# The old cuDNN flag raises after one of its two new switches is set, and after both are.

torch.backends.cudnn.conv.fp32_precision = "ieee"
old_cudnn_flag = attempt(lambda: torch.backends.cudnn.allow_tf32)
torch.backends.cudnn.rnn.fp32_precision = "ieee"
old_cudnn_flag_of_two = attempt(lambda: torch.backends.cudnn.allow_tf32)
torch.backends.cudnn.conv.fp32_precision = "tf32"
torch.backends.cudnn.rnn.fp32_precision = "tf32"

# %%
# The other way round, nothing raises: both can read what an old flag sets.

torch.backends.cuda.matmul.allow_tf32 = True
old_after_old = attempt(lambda: torch.backends.cuda.matmul.allow_tf32)
new_after_old = attempt(lambda: torch.backends.cuda.matmul.fp32_precision)

# %%
# The old flags are separate: each can be set without the other.

torch.manual_seed(0)
matrix = torch.randn(1024, 1024, device="cuda")
image = torch.randn(8, 64, 32, 32, device="cuda")
kernel = torch.randn(64, 64, 3, 3, device="cuda")


def compute(matmul, cudnn):
    torch.backends.cuda.matmul.allow_tf32 = matmul
    torch.backends.cudnn.allow_tf32 = cudnn
    return matrix @ matrix, torch.conv2d(image, kernel)


# %%
# Each flag changes only the results of its own kind of operator.

arms = [(False, False), (True, False), (False, True)]
full, with_matmul, with_cudnn = [compute(*arm) for arm in arms]
separate = {
    "matmul_flag_changes_matmul": not torch.equal(with_matmul[0], full[0]),
    "matmul_flag_changes_conv": not torch.equal(with_matmul[1], full[1]),
    "cudnn_flag_changes_matmul": not torch.equal(with_cudnn[0], full[0]),
    "cudnn_flag_changes_conv": not torch.equal(with_cudnn[1], full[1]),
}
print(separate)

# %%
# A third switch takes one of three strings. On the GPU, the last two mean the same, and
# they apply to the CPU, too.

products, on_cpu = {}, {}
for word in ("highest", "high", "medium"):
    torch.set_float32_matmul_precision(word)
    products[word] = matrix @ matrix
    on_cpu[word] = torch.backends.mkldnn.matmul.fp32_precision
high_is_medium = torch.equal(products["high"], products["medium"])
high_is_tf32 = torch.equal(products["high"], with_matmul[0])
print(f"high is medium: {high_is_medium}, and TF32: {high_is_tf32}; CPU: {on_cpu}")
torch.set_float32_matmul_precision("highest")

# %%
# C++ has setters for the old switches.

header = Path(torch.__file__).with_name("include") / "ATen" / "Context.h"
declared = header.read_text(encoding="utf-8")
in_cpp = all(f"setAllowTF32{name}(" in declared for name in ("CuBLAS", "CuDNN"))

# %%
# The first exception is recorded in full, the others only by type.

measured = {
    "old_flag": old_flag,
    "old_precision": type(old_precision).__name__,
    "new_setting": new_setting,
    "old_cudnn_flag": type(old_cudnn_flag).__name__,
    "old_cudnn_flag_of_two": type(old_cudnn_flag_of_two).__name__,
    "old_after_old": old_after_old,
    "new_after_old": new_after_old,
    **separate,
    "high_is_medium": high_is_medium,
    "high_is_tf32": high_is_tf32,
    "cpu_after_high": on_cpu["high"],
    "cpu_after_medium": on_cpu["medium"],
    "in_cpp": in_cpp,
}
