"""non_blocking.md, line 527.
Sentence: What stays within the GPU draws no warning: `gpu.clone()`, `x.masked_fill(mask, 0)`, and `x[i]` with its index on the GPU draw none.
Attack: Operations whose inputs and results all stay on the GPU and whose sizes are known beforehand: linalg.inv, solve, cholesky, eigh, histc without a range, bincount with minlength, matrix_exp, multinomial, fancy assignment. (An earlier batch of the project, offload-11, saw 1-2 warnings of inv, solve, cholesky, eigh, svd, lstsq, histc.)
Expect: Refuted: linalg.inv, solve, cholesky, eigh warn and wait.
Refuted if: any operation whose inputs and outputs are all CUDA tensors of a size known beforehand (inv, solve, cholesky, eigh, lstsq, matrix_power, matrix_exp) draws a warning
"""
import json, time
import torch

SENTENCE = 'What stays within the GPU draws no warning: `gpu.clone()`, `x.masked_fill(mask, 0)`, and `x[i]` with its index on the GPU draw none.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

import warnings


def warned(call):
    call()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        try:
            call()
        finally:
            torch.cuda.set_sync_debug_mode("default")
    return sum("called a synchronizing" in str(w.message) for w in caught)


def main():
    x = torch.rand(32, 32, device="cuda") + 32 * torch.eye(32, device="cuda")
    spd = x @ x.T
    v = torch.randint(0, 9, (1000,), device="cuda")
    ops = {"inv": lambda: torch.linalg.inv(x), "solve": lambda: torch.linalg.solve(x, x), "cholesky": lambda: torch.linalg.cholesky(spd),
           "eigh": lambda: torch.linalg.eigh(spd), "matrix_power": lambda: torch.linalg.matrix_power(x, -1), "matrix_exp": lambda: torch.matrix_exp(x / 64),
           "histc": lambda: torch.histc(x), "clone": x.clone, "sort": v.sort, "cumsum": lambda: v.cumsum(0), "index_add": lambda: x.index_add(0, v[:32] , x),
           "index_put": lambda: x.index_put((v[:4], v[:4]), x[0, :4]), "multinomial": lambda: torch.multinomial(x[0], 4)}
    rows = {}
    for name, call in ops.items():
        try:
            rows[name] = warned(call)
        except Exception as error:
            torch.cuda.set_sync_debug_mode("default")
            rows[name] = repr(error)[:80]
    fixed = ("inv", "solve", "cholesky", "eigh", "matrix_power", "matrix_exp")
    return any(isinstance(rows[n], int) and rows[n] > 0 for n in fixed), rows


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
