"""glossary.md, line 43.
Sentence: Multiplies the loss so that small gradients do not vanish in FP16, and divides them again before the optimizer sees them.
Attack: A fused optimizer: the scaler hands it the scale and the optimizer divides by itself. A step pre-hook looks at the gradients.
Expect: Refuted for fused Adam, AdamW and SGD: the gradients that the optimizer gets are still multiplied.
Refuted if: in the optimizer's step pre-hook the gradient is still the scaled one (ratio above 100) for some optimizer
"""
import json, time
import torch

SENTENCE = 'Multiplies the loss so that small gradients do not vanish in FP16, and divides them again before the optimizer sees them.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

def main():
    rows = {}
    for device in ("cuda", "cpu"):
        for name, make in {"Adam": lambda p: torch.optim.Adam(p), "Adam fused": lambda p: torch.optim.Adam(p, fused=True), "SGD fused": lambda p: torch.optim.SGD(p, 0.1, fused=True), "AdamW fused": lambda p: torch.optim.AdamW(p, fused=True)}.items():
            try:
                weight = torch.nn.Parameter(torch.ones(4, device=device))
                optimizer = make([weight])
                scaler = torch.amp.GradScaler(device, init_scale=1024.0)
                seen = []
                optimizer.register_step_pre_hook(lambda *_: seen.append(weight.grad[0].item()))
                scaler.scale(weight.sum()).backward()
                scaler.step(optimizer)
                scaler.update()
                rows[f"{device} {name}"] = seen
            except Exception as error:
                rows[f"{device} {name}"] = repr(error)[:100]
    return any(isinstance(v, list) and v and v[0] > 100 for k, v in rows.items() if k.startswith("cuda")), rows


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
