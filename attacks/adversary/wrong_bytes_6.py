"""wrong_bytes.md, line 445.
Sentence: The allocator looks for finished streams when it is asked for memory, so when a block comes back depends on what else the program does.
Attack: After record_stream and all copies done: synchronize(), memory_stats(), an empty tensor, a CPU allocation, empty_cache(), an allocation of one element, each by itself.
Expect: Only empty_cache() and the allocation bring the block back; empty_cache() asks for no memory.
Refuted if: an allocation of one element does not bring the block back, or something that neither allocates nor is empty_cache() does
"""
import json, time
import torch

SENTENCE = 'The allocator looks for finished streams when it is asked for memory, so when a block comes back depends on what else the program does.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

def main():
    side, here = torch.cuda.Stream(), torch.cuda.current_stream()
    host = torch.empty(2**22, pin_memory=True)

    def held():
        return torch.cuda.memory_stats()["active_bytes.all.current"]

    acts = {"nothing": lambda: None, "synchronize": torch.cuda.synchronize, "stream.synchronize": side.synchronize, "empty(0)": lambda: torch.empty(0, device="cuda"), "cpu": lambda: torch.empty(2**22),
            "pinned": lambda: torch.empty(2**20, pin_memory=True), "free_another": lambda: keep.clear(), "empty_cache": torch.cuda.empty_cache, "allocation": lambda: torch.empty(1, device="cuda"),
            "allocation_in_side": lambda: in_side(), "in_place_kernel": lambda: x.add_(1)}
    x = torch.ones(10, device="cuda")
    keep = []

    def in_side():
        with torch.cuda.stream(side):
            torch.empty(1, device="cuda")

    rows = {}
    for name, act in acts.items():
        torch.cuda.synchronize()
        torch.empty(1, device="cuda")
        keep[:] = [torch.ones(2**20, device="cuda")]
        before = held()
        result = torch.ones(2**22, device="cuda")
        side.wait_stream(here)
        with torch.cuda.stream(side):
            torch.cuda._sleep(1_000_000)
            host.copy_(result, non_blocking=True)
        result.record_stream(side)
        del result
        torch.cuda.synchronize()
        start = held() - before
        act()
        rows[name] = [start, held() - before]
    others = [n for n in rows if n not in ("allocation", "allocation_in_side", "empty_cache")]
    refuted = rows["allocation"][1] > 0 or any(rows[n][1] <= 0 for n in others if n != "free_another")
    return refuted and rows["nothing"][0] > 0, rows


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
