"""docs/devices/which_gpu.md: "A call changes the current GPU for good" (set_device, set_device_index, set_stream).
Attack: the call inside each of the contexts that the page recommends; printed only: in a hook of backward (another thread).
Refuted if the current GPU is another one than the chosen after the context (the call did not last)."""
import torch

assert torch.cuda.device_count() >= 2
on_first, on_second = torch.cuda.Stream(0), torch.cuda.Stream(1)
x = torch.ones(1, device="cuda:0", requires_grad=True)
CALLS = {
    "set_device": lambda: torch.cuda.set_device(1),
    "set_device_index": lambda: torch.accelerator.set_device_index(1),
    "set_stream": lambda: torch.cuda.set_stream(on_second),
}
CONTEXTS = {
    "device(0)": lambda: torch.cuda.device(0),
    "device_index(0)": lambda: torch.accelerator.device_index(0),
    "device_of": lambda: torch.cuda.device_of(x),
    "stream of 0": lambda: torch.cuda.stream(on_first),
}
undone = []
for name, call in CALLS.items():
    for where, context in CONTEXTS.items():
        torch.cuda.set_device(0)
        with context():
            call()
            inside = torch.cuda.current_device()
        after = torch.cuda.current_device()
        print(f"{name:16} inside {where:16} then {inside}, after the context {after}")
        if inside == 1 and after != 1:
            undone.append(f"{name} in {where}")
    torch.cuda.set_device(0)
    y = (x * 2).sum()
    seen = []
    y.register_hook(lambda g: (call(), seen.append(torch.cuda.current_device())) and None)
    y.backward()
    after = torch.cuda.current_device()
    print(f"{name:16} in a hook of backward: then {seen}, after backward {after}")
torch.cuda.set_device(0)
if undone:
    print(f"REFUTED: undone when the context ends: {undone}")
else:
    print("NOT REFUTED: the call lasts in four contexts")
