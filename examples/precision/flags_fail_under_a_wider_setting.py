"""
cuDNN's flags fail under a wider setting
========================================

Does ``torch.backends.cudnn.flags(allow_tf32=False)`` keep a block of code in full FP32 after a
newer setting allowed TF32? It does not under the widest one: convolutions stay in TF32, and the
end of the block raises an error. The operator's own setting works.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.backends import cudnn

# %%
# The error of a convolution reveals how it ran: in FP32, the largest is below a thousandth; in
# TF32, above a hundredth.

torch.manual_seed(0)
image = torch.randn(8, 64, 32, 32, device="cuda")
kernel = torch.randn(64, 64, 3, 3, device="cuda")
truth = torch.conv2d(image.double(), kernel.double())


def precision_of_a_convolution():
    error = (torch.conv2d(image, kernel) - truth).abs().max().item()
    return "TF32" if error > 0.003 else "FP32"


# %%
# Two ways to ask for full FP32 in a block. Both note what they see inside, because the block may
# end with an error.


def flags(seen):
    with cudnn.flags(enabled=True, deterministic=True, allow_tf32=False):
        seen["inside"] = precision_of_a_convolution()


def own_setting(seen):
    before = cudnn.conv.fp32_precision
    cudnn.conv.fp32_precision = "ieee"
    seen["inside"] = precision_of_a_convolution()
    cudnn.conv.fp32_precision = before


# %%
# Each way runs when nothing is set, and after the widest setting, cuDNN's and the one of
# convolutions. The older flag and the newer settings are put back before each: when nothing is set
# for the second time, the block must do what it did at first.


def put_back():
    cudnn.fp32_precision = torch.backends.fp32_precision = "none"
    cudnn.allow_tf32, cudnn.deterministic = True, False


SETTINGS = {
    "nothing": (),
    "generic": (torch.backends,),
    "cudnn": (cudnn,),
    "conv": (cudnn.conv,),
    "nothing again": (),
}
tables = {}
for way in (flags, own_setting):
    rows = []
    for setting, places in SETTINGS.items():
        put_back()
        for place in places:
            place.fp32_precision = "tf32"
        row = {
            "setting": setting,
            "before": precision_of_a_convolution(),
            "inside": "not run",
        }
        try:
            way(row)
            row["raises"] = "nothing"
        except RuntimeError as error:
            row["raises"] = type(error).__name__
            print(str(error).splitlines()[0][:88])
        row["after"] = precision_of_a_convolution()
        row["deterministic_after"] = cudnn.deterministic
        rows.append(row)
        print(way.__name__, row)
    tables[way.__name__] = {"table": rows}
put_back()

# %%
# Each way has a table, with a row for each setting.

measured = {
    "by_setting_with_flags": tables["flags"],
    "by_setting_with_own_setting": tables["own_setting"],
}
