"""
Linear algebra waits unseen
===========================

Can the sync debug mode be trusted? It reports the waits that PyTorch asks for, and not those inside
CUDA's libraries. Some functions of ``torch.linalg`` wait without a report; the profiler shows the
call in which they do.
"""

# sphinx_gallery_evidence = {"processes": 1}
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
# Functions of linear algebra need a matrix with an inverse, or a symmetric one. Some functions
# work differently for a matrix that is not square, or for several at once.

from torch.profiler import ProfilerActivity, profile, record_function

LINALG = "inv inv_ex solve det slogdet lu lu_factor lu_factor_ex qr svd svdvals eig"
LINALG += " eigvals lstsq pinv matrix_rank cond matrix_exp matrix_norm"
SYMMETRIC = "cholesky cholesky_ex eigh eigvalsh ldl_factor ldl_factor_ex"
general, right = x + 8 * torch.eye(8, device="cuda"), torch.rand(8, 2, device="cuda")
kinds = {LINALG: general, SYMMETRIC: general + general.T}
calls = {name: [kinds[names]] for names in kinds for name in names.split()}
calls["solve"].append(right)
calls["lstsq"].append(right)
calls["ldl_solve"] = [*torch.linalg.ldl_factor(general + general.T), right]
for name in "lu", "lu_factor_ex", "qr", "inv_ex", "cholesky_ex":
    calls[f"{name} batch"] = [calls[name][0].repeat(4, 1, 1)]
for name in "lu", "lu_factor_ex", "qr":
    calls[f"{name} tall"] = [calls[name][0][:, :5]]

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
# The first two calls load kernels and libraries, and do not count.

rows = []
for name, arguments in calls.items():
    call = getattr(torch.linalg, name.split()[0]), arguments
    for _ in range(2):
        call[0](*call[1])
    waits = sum(waited(*call) for _ in range(TRIES))
    row = {"function": name.replace(" ", "_"), "waited": waits}
    rows.append({**row, "reported": reported(*call)})
    rows[-1]["suspects"] = ", ".join(suspects(*call)) or "none"
    print("{:20} waited {}, reported {!s:5}: {}".format(*rows[-1].values()))

# %%
# A missed call waited in every try without a report; a call in vain was reported and never waited.

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
