"""Page: execution/waiting.md. "Such an event [blocking=True] also makes `wait_event` hold the host until it has been
reached, so use it for the host's own waits only."
Attack: record events of every kind behind a held stream, let side.wait_event(event), and ask whether the event has
been reached when the call returns; first use and 20 later tries, with and without timing; Event.wait as well.
Refuted if the host goes on before the blocking event has been reached.
"""
import time
import torch

side, here = torch.cuda.Stream(), torch.cuda.current_stream()
torch.cuda._sleep(1000); torch.cuda.synchronize()
KINDS = {"plain": {}, "blocking": {"blocking": True}, "blocking timed": {"blocking": True, "enable_timing": True}}
early = {}
for name, kind in KINDS.items():
    for call in ("wait_event", "Event.wait"):
        count, longest = 0, 0
        for _ in range(20):
            torch.cuda.synchronize()
            event = torch.cuda.Event(**kind)
            torch.cuda._sleep(20_000_000)
            event.record()
            begin = time.perf_counter()
            side.wait_event(event) if call == "wait_event" else event.wait(side)
            longest = max(longest, time.perf_counter() - begin)
            count += not event.query()
        torch.cuda.synchronize()
        early[name, call] = count
        print(f"{name}, {call}: returned before the event in {count} of 20, longest call {longest * 1e6:.0f} µs")
if early["plain", "wait_event"] != 20:
    raise RuntimeError("control: the plain event held the host")
got = early["blocking", "wait_event"], early["blocking timed", "wait_event"]
if max(got) > 0:
    print(f"REFUTED: with blocking=True, wait_event returned before the event had been reached in {got} of 20 tries each")
else:
    print("NOT REFUTED: blocking events, with and without timing, 20 tries each")
