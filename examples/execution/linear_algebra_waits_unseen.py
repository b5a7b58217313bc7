"""
Linear algebra waits unseen
===========================

Can the sync debug mode be trusted? It reports the waits that PyTorch asks for, and not those inside
CUDA's libraries. Some functions of ``torch.linalg`` wait without a report; the profiler shows the
call in which they do.
"""

import warnings

import torch

x = torch.rand(8, 8, device="cuda")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    torch.cuda.set_sync_debug_mode("warn")
    total = x.sum()
    print("large" if total > 30 else "small")  # waits for the value
    torch.cuda.set_sync_debug_mode("default")
for warning in caught:
    print(f"line {warning.lineno}: {str(warning.message)[:60]}")

# %%
# What functions of linear algebra need: a matrix with an inverse, and a symmetric one.

from torch.profiler import ProfilerActivity, profile, record_function

LINALG = (
    "inv inv_ex solve det slogdet lu lu_factor lu_factor_ex qr svd svdvals eig eigvals"
)
LINALG += " lstsq pinv matrix_rank cond matrix_exp matrix_norm householder_product"
SYMMETRIC = "cholesky cholesky_ex eigh eigvalsh ldl_factor ldl_factor_ex"
general = x + 8 * torch.eye(8, device="cuda")
symmetric, right = general + general.T, torch.rand(8, 2, device="cuda")
TWO = {"solve": right, "lstsq": right, "householder_product": x[0]}
calls = {
    name: (getattr(torch.linalg, name), (matrix, *([TWO[name]] if name in TWO else [])))
    for names, matrix in ((LINALG, general), (SYMMETRIC, symmetric))
    for name in names.split()
}

# %%
# A call that waits returns after the kernel that holds the stream, which only sleeps. (Its function
# is private to PyTorch and may change.)

TRIES, HOLD = 3, 20_000_000  # cycles: about ten milliseconds
event = torch.cuda.Event()


def waited(function, arguments):
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    event.record()
    function(*arguments)
    return event.query()


def reported(function, arguments):
    torch.cuda.set_sync_debug_mode("error")
    try:
        function(*arguments)
    except RuntimeError as error:
        return "called a synchronizing CUDA operation" in str(error)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    return False


# %%
# The profiler lists the calls of CUDA on the host. Those that wait have names like these; a copy
# waits if the host's memory is pageable.

WAITS = ("Synchronize", "cudaMemcpy", "cudaFree", "cudaMalloc", "Pageable")


def suspects(function, arguments):
    torch.cuda.synchronize()
    both = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with profile(activities=both, acc_events=True) as profiler, record_function("here"):
        function(*arguments)
    events = profiler.events()
    marks = (e for e in events if e.name == "here" and e.device_type.name == "CPU")
    here = next(marks).time_range
    inside = [e for e in events if here.start <= e.time_range.start <= here.end]
    return sorted({e.name for e in inside if any(part in e.name for part in WAITS)})


# %%
# The first call loads kernels and libraries, and does not count.

rows = []
for name, call in calls.items():
    try:
        call[0](*call[1])
    except RuntimeError as error:  # this build has no library for it
        print(name, error)
        continue
    waits = sum(waited(*call) for _ in range(TRIES))
    row = {"function": name, "waited": waits, "reported": reported(*call)}
    rows.append({**row, "suspects": ", ".join(suspects(*call)) or "none"})
    print("{:20} waited {}, reported {!s:5}: {}".format(*rows[-1].values()))

# %%
# Missed is what waited in every try without a report; in vain, what was reported and never waited.

missed = [row for row in rows if row["waited"] == TRIES and not row["reported"]]
measured = {
    "tries": TRIES,
    "functions": len(rows),
    "waiting": sum(row["waited"] == TRIES for row in rows),
    "missed": len(missed),
    "missed_without_suspects": sum(row["suspects"] == "none" for row in missed),
    "in_vain": sum(row["reported"] and not row["waited"] for row in rows),
    "by_function": {"table": rows},
}
