"""
Sentence (transfer/pinned_memory.md:253): With `non_blocking=True` nothing waits for a pinned copy unless you do.

Attack: Pinned sources that are not copied by one plain transfer (a plain one is the control): a transposed view, every second element, a column of a matrix, an expanded one, a cast to another dtype in the call, a conjugate; behind a held stream: does the call return while the stream is held? is_pinned() is noted.

Expected: strided views are made contiguous in ordinary memory first and are then pageable copies: above 64 KiB the call waits, though non_blocking=True and is_pinned().

Refuted if: for some source with is_pinned() true, the call with non_blocking=True returned only after the held stream was done, in at least 5 of 6 tries, while a plain one did so in at most 1.
"""
import json
import time

import torch

SENTENCE = 'With `non_blocking=True` nothing waits for a pinned copy unless you do.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)



def attack():
    pinned = torch.ones(4096, 1024, pin_memory=True)
    comp = torch.ones(1024, 1024, dtype=torch.complex64).pin_memory()
    stream = torch.cuda.current_stream()
    gpu = torch.empty(4096, 1024, device="cuda")
    gpu_half = gpu.half()
    sources = {
        "plain": lambda: gpu.copy_(pinned, non_blocking=True),
        "rows": lambda: pinned[1024:2048].to("cuda", non_blocking=True),
        "transposed, to()": lambda: pinned.t().to("cuda", non_blocking=True),
        "transposed, copy_": lambda: gpu.view(1024, 4096).copy_(pinned.t(), non_blocking=True),
        "every second column": lambda: pinned[:, ::2].to("cuda", non_blocking=True),
        "half of the columns": lambda: gpu[:, :512].copy_(pinned[:, :512], non_blocking=True),
        "half of the columns, to()": lambda: pinned[:, :512].to("cuda", non_blocking=True),
        "expanded": lambda: pinned[:1].expand(4096, 1024).to("cuda", non_blocking=True),
        "expanded, copy_": lambda: gpu.copy_(pinned[:1].expand(4096, 1024), non_blocking=True),
        "cast to half, to()": lambda: pinned.to("cuda", torch.half, non_blocking=True),
        "cast to half, copy_": lambda: gpu_half.copy_(pinned, non_blocking=True),
        "conjugate": lambda: comp.conj().to("cuda", non_blocking=True),
    }
    pins = {"transposed": pinned.t().is_pinned(), "columns": pinned[:, ::2].is_pinned(), "expanded": pinned[:1].expand(4096, 1024).is_pinned(),
            "conj": comp.conj().is_pinned()}
    say(is_pinned=pins)
    found = {}
    for name, work in sources.items():
        waited = 0
        try:
            work(), work()
            for _ in range(6):
                torch.cuda.synchronize()
                torch.cuda._sleep(60_000_000)
                result = work()
                waited += stream.query()
                torch.cuda.synchronize()
                del result
        except Exception as error:
            say(source=name, error=f"{type(error).__name__}: {str(error)[:120]}")
            continue
        found[name] = waited
        say(source=name, waited=waited, tries=6)
    bad = {name: n for name, n in found.items() if n >= 5}
    if found.get("plain", 6) > 1:  # the control: a plain copy must not wait
        return False, {"control_failed": found}
    return bool(bad) and all(pins.values()), {"waited_of_6": found, "is_pinned": pins}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
