"""Page opening: 'call `.to("cuda:1")` and use the result right away. The copy waits for the
current stream of each GPU, and later work in those two streams waits for the copy.'

Attack: the copy follows the page's own rule (the side stream of the source waited for the
current stream, and the reader is in the target's current stream), but the source is dropped
right after the copy, and its memory is reused in the default stream of the source GPU. The
page's "Right" recipes never mention this (no record_stream).

Refuted (the instructions are not enough) if the copy holds what was written later.
"""
import torch

HOLD = 40_000_000
N = 2**20

def refill(value, device, old):
    """Fill new tensors until one lies where the old one was."""
    made = []
    for _ in range(64):
        made.append(torch.full((N,), value, device=device))
        if abs(made[-1].data_ptr() - old) < 4 * N:
            return made
    print("attack: opening-sentence: memory was NOT reused: this attack did not happen", flush=True)
    return made


side = torch.cuda.Stream(device=0)
torch.zeros(1, device="cuda:0").to("cuda:1")
lost = waits = 0
for attempt in range(11):
    for i in range(2):
        torch.cuda.synchronize(i)
    x = torch.full((N,), 1.0, device="cuda:0")
    side.wait_stream(torch.cuda.current_stream(0))
    with torch.cuda.stream(side):
        torch.cuda._sleep(HOLD)
        y = x.to("cuda:1")  # current streams: side of cuda:0, default of cuda:1
    old = x.data_ptr()
    del x
    again = refill(7.0, "cuda:0", old)
    total = y.sum()  # in the target's current stream
    if attempt:
        lost += total.item() != N
    value = total.item() / N
    del again, y
print(f"attack: opening-sentence: source dropped after a copy in a side stream of its GPU: wrong in {lost} of 10, last mean {value} (1 expected, 7 was written later)")
word = "REFUTED" if lost else "NOT REFUTED"
print(f"verdict: {word} opening-sentence 'use the result right away' ({lost} of 10 wrong after the source was dropped)")
