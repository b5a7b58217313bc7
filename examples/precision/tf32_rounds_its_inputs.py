"""
TF32 rounds its inputs
======================

What does TF32 do to a number? In eager mode, matmuls and convolutions round it to the
nearest number with ten bits of mantissa; they do not truncate it. The range is FP32's.
"""

# sphinx_gallery_quiet = "nothing"
import torch

# %%
# Multiplying by the identity matrix returns what the tensor core used as its input: every
# other term is zero. The same holds for a one-pixel convolution.

SIZE, CHANNELS = 1024, 256
STEP = 2.0**-10  # between neighbours of ten bits, from 1 to 2

identity = torch.eye(SIZE, device="cuda")
pixel = torch.eye(CHANNELS, device="cuda").view(CHANNELS, CHANNELS, 1, 1)


def matmul(x):
    return x @ identity


def convolution(x):
    return torch.conv2d(x.view(-1, CHANNELS, 32, 32), pixel).view_as(x)


# %%
# In full FP32, both leave random numbers between 1 and 2 unchanged.

torch.backends.cuda.matmul.fp32_precision = "ieee"
torch.backends.cudnn.conv.fp32_precision = "ieee"
torch.backends.cudnn.rnn.fp32_precision = "ieee"

torch.manual_seed(0)
numbers = 1 + torch.rand(SIZE, SIZE, device="cuda")
exact = [torch.equal(f(numbers), numbers) for f in (matmul, convolution)]
print(f"unchanged in FP32: {exact}")

# %%
# In TF32, they do not: rounding moves a number by up to half a step, truncation by up to one.

torch.backends.cuda.matmul.fp32_precision = "tf32"
torch.backends.cudnn.conv.fp32_precision = "tf32"
moved = {f.__name__: (f(numbers) - numbers) / STEP for f in (matmul, convolution)}
largest = {name: steps.abs().max().item() for name, steps in moved.items()}
for name, steps in moved.items():
    print(f"{name}: {largest[name]:.4f} steps at most, mean {steps.mean():+.4f}")

# %%
# Single numbers, in steps above 1 (or below -1), show what happens to a number halfway.

PROBES = {
    "just-below-half": 0.375,
    "just-above-half": 0.625,
    "half-above-even": 0.5,
    "half-above-odd": 1.5,
    "half-below-minus-one": 0.5,
}


def steps_of(function, name):
    sign = -1 if "minus" in name else 1
    number = torch.full((SIZE, SIZE), sign * (1 + PROBES[name] * STEP), device="cuda")
    steps = (abs(function(number)[0, 0].item()) - 1) / STEP
    return int(steps) if steps.is_integer() else steps


# %%
# A three-by-three convolution in which only the middle pixel counts runs a different cuDNN
# kernel, and in the channels-last format yet another.

window = torch.zeros(64, 64, 3, 3, device="cuda")
window[:, :, 1, 1] = torch.eye(64, device="cuda")


def convolution_3x3(x, form=torch.contiguous_format):
    images = x[:512].view(8, 64, 32, 32).contiguous(memory_format=form)
    return torch.conv2d(images, window, padding=1).reshape(512, SIZE)


def channels_last_3x3(x):
    return convolution_3x3(x, torch.channels_last)


# %%
# The three numbers halfway between steps reveal the rule for ties.

FORMS = (matmul, convolution, convolution_3x3, channels_last_3x3)
KINDS = {f.__name__: f for f in FORMS}
TIES = {(1, 2, 1): "away from zero", (0, 2, 0): "to even", (0, 1, 0): "towards zero"}
rows = [{"probe": p, **{k: steps_of(f, p) for k, f in KINDS.items()}} for p in PROBES]
ties = {kind: TIES.get(tuple(row[kind] for row in rows[2:]), "other") for kind in KINDS}
print(*rows, f"half-way: {ties}", sep="\n")

# %%
# The range is that of FP32: numbers far beyond FP16 survive, to ten bits.

far = torch.tensor([1e30, 1e-30], device="cuda").repeat(SIZE, SIZE // 2)
passed = ((matmul(far) / far - 1).abs() <= STEP / 2).all().item()
as_fp16 = far[0, :2].half().tolist()
print(f"1e30 and 1e-30 pass: {passed}; in FP16 they are {as_fp16}")

# %%
# Changes are counted in steps between ten-bit numbers.

measured = {
    "exact_in_fp32": all(exact),
    "matmul_largest_change_steps": largest["matmul"],
    "convolution_largest_change_steps": largest["convolution"],
    "by_probe": {"table": rows},
    "matmul_ties": ties["matmul"],
    "convolution_ties": ties["convolution"],
    "convolution_3x3_ties": ties["convolution_3x3"],
    "channels_last_3x3_ties": ties["channels_last_3x3"],
    "range_passes": passed,
    "fp16_range_lost": as_fp16 == [float("inf"), 0.0],
}
