"""docs/execution/first_call.md: "Call everything once with the dtypes and shapes that you use, before you time it", and
"Calls of 5 functions leave 5 files": a compiled kernel per function ("its first calls [in the next process] take less than a fifth").
Attack: torch.special.zeta in the same dtype and shape, but strided, then at an unaligned address, then with a number.
Refuted if such a call, after a first call with that dtype and shape, compiles again (over 100 ms, ten times the call after it, and one more file)."""
import os
import tempfile
import time
from pathlib import Path

folder = tempfile.mkdtemp()
os.environ |= {"PYTORCH_KERNEL_CACHE_PATH": folder, "USE_PYTORCH_KERNEL_CACHE": "1", "CUDA_CACHE_DISABLE": "1"}
import torch

plain, double = torch.full((1000,), 2.0, device="cuda"), torch.full((2000,), 2.0, device="cuda")
strided, unaligned = double[::2], double[1:1001]


def seconds(*arguments):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    torch.special.zeta(*arguments)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


again = []
for name, arguments in {"plain": (plain, plain), "strided": (strided, strided), "unaligned": (unaligned, unaligned), "number": (plain, 2.0)}.items():
    files = len(list(Path(folder).iterdir()))
    first, second = seconds(*arguments), seconds(*arguments)
    more = len(list(Path(folder).iterdir())) - files
    print(f"{name:10} first {1e3 * first:.1f} ms, second {1e3 * second:.2f} ms, {more} new files")
    if name != "plain" and first > 0.1 and first > 10 * second and more:
        again.append(name)
print("files:", sorted(path.name[:40] for path in Path(folder).iterdir()))
print(f"REFUTED: the same function, dtype and shape compiled again when {again}" if again else "NOT REFUTED: strided, unaligned and number arguments used the compiled kernel")
