"""non_blocking.md, line 6.
Sentence: Whether the call returns before the copy is done depends on the host's memory: with pinned memory it does until the queue of the stream is full, from pageable memory only a small copy does, and into pageable memory no copy does.
Attack: Idle GPU instead of a held stream: pageable copies of 2 MiB to 256 MiB with non_blocking=True; the stream is asked at once (and an event recorded behind). CUDA's documents say that such a call may return when the bytes are staged, before the DMA is complete.
Expect: Refuted: after a large pageable copy the event is often not done yet (the stream is busy), as the last piece is still under way.
Refuted if: for some size of 4 MiB or more the stream is found busy right after the call in at least 10 of 20 calls, and without a copy in fewer than 10
"""
import json, time
import torch

SENTENCE = "Whether the call returns before the copy is done depends on the host's memory: with pinned memory it does until the queue of the stream is full, from pageable memory only a small copy does, and into pageable memory no copy does."


def show(**row):
    print(json.dumps(row, default=str), flush=True)

def main():
    rows, hit = [], False
    largest = 2**28
    pageable = torch.ones(largest, dtype=torch.uint8)
    gpu = torch.ones(largest, dtype=torch.uint8, device="cuda")
    event = torch.cuda.Event()
    empty = torch.zeros(0)

    def unfinished(size):
        torch.cuda.synchronize()
        if size:
            gpu[:size].copy_(pageable[:size], non_blocking=True)
            query = stream.query()  # no event in between: the stream itself is asked first
        else:
            query = stream.query()
        event.record()
        asked = event.query()
        return (not query), (not asked)

    stream = torch.cuda.current_stream()
    for size in (0, 2**10, 2**16, 2**20, 2**21, 2**22, 3 * 2**22 + 4096, 2**24, 2**26, 2**28):
        for _ in range(3):
            unfinished(size)
        tries = [unfinished(size) for _ in range(20)]
        row = {"size": size, "stream_busy": sum(a for a, _ in tries), "event_unfinished": sum(b for _, b in tries), "of": 20}
        show(**row)
        rows.append(row)
        hit |= size >= 2**22 and row["stream_busy"] >= 10
    return hit and rows[0]["stream_busy"] < 10, rows


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
