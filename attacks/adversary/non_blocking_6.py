"""non_blocking.md, line 468.
Sentence: The mode gave no false alarm: each operation with a warning waited in all of its tries.
Attack: Operations that the table does not list: copies of no element, synchronize() of an idle side stream while the current stream is held, item() of a value in an idle side stream, is_nonzero.
Expect: Refuted in general, not for the operations listed: synchronize() of an idle stream warns and does not wait (for the kernel).
Refuted if: an operation draws a warning and returns while the held stream is still busy
"""
import json, time
import torch

SENTENCE = 'The mode gave no false alarm: each operation with a warning waited in all of its tries.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

import warnings


def main():
    side, here = torch.cuda.Stream(), torch.cuda.current_stream()
    x, released = torch.ones(4, device="cuda"), torch.cuda.Event()
    host, few = torch.ones(4), torch.zeros(0, 4, device="cuda")

    def in_side(call):
        def run():
            with torch.cuda.stream(side):
                call()
        return run

    ops = {"empty_to_cpu": lambda: few.cpu(), "empty_to_gpu": lambda: host[:0].to("cuda"), "empty_nonzero": few.nonzero, "empty_unique": lambda: few.unique(),
           "empty_mask": lambda: few[few > 0], "empty_tolist": few.tolist, "idle_side_synchronize": side.synchronize, "side_item": in_side(x[0].item),
           "side_to_cpu": in_side(x.cpu), "side_to_gpu": in_side(lambda: host.to("cuda")), "empty_any": lambda: bool(few.any())}
    rows, alarms = {}, []
    for name, call in ops.items():
        try:
            call()
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                torch.cuda.set_sync_debug_mode("warn")
                call()
                torch.cuda.set_sync_debug_mode("default")
            count = sum("called a synchronizing" in str(w.message) for w in caught)
            waited = 0
            for _ in range(3):
                torch.cuda.synchronize()
                torch.cuda._sleep(20_000_000)
                released.record()
                call()
                waited += released.query()
            rows[name] = [count, waited]
            if count and waited < 3:
                alarms.append(name)
        except Exception as error:
            torch.cuda.set_sync_debug_mode("default")
            rows[name] = repr(error)[:80]
    return bool(alarms), {"warnings_waited_of_3": rows, "false_alarms": alarms}


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
