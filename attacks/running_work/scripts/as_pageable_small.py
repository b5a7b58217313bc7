"""docs/execution/which_calls_wait.md: "[Calls that wait:] those that copy from or into pageable memory"; docs/execution/asynchronous.md:
the host waits "when it copies between host and GPU without non_blocking=True, or with pageable memory".
Attack: non_blocking copies from and into pageable memory, 4 bytes to 16 MiB, behind a held stream.
Refuted if such a copy returns while the stream is held."""
import torch

event = torch.cuda.Event()


def waited(run, cycles=20_000_000):
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    event.record()
    run()
    return event.query()


returned = {}
for size in (4, 1024, 16 << 10, 64 << 10, 65 << 10, 1 << 20, 16 << 20):
    host, device = torch.ones(size, dtype=torch.uint8), torch.zeros(size, dtype=torch.uint8, device="cuda")
    for way, run in {
        "to the GPU": lambda: device.copy_(host, non_blocking=True),
        "to the GPU by .to()": lambda: host.to("cuda", non_blocking=True),
        "to the host": lambda: host.copy_(device, non_blocking=True),
        "to the GPU, blocking": lambda: device.copy_(host),
    }.items():
        run(), run()
        count = sum(waited(run) for _ in range(4))
        print(f"{size:9} bytes {way:22} waited in {count} of 4")
        if count == 0:
            returned.setdefault(way, []).append(size)
print(f"REFUTED: copies with pageable memory that return at once: {returned}" if returned else "NOT REFUTED: seven sizes, both directions, all waited")
