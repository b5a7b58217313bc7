"""
Page: traps.md.
Sentence: "Right: the inner block has `cache_enabled=False`, and the result is a torch.float16; or the cache is
cleared before it, and the result is a torch.float16."
Attack: use the model again in the outer block, after the inner one: its copies are FP16 now. Train in the
outer block after it; clear again behind it; two inner blocks; a nested block ending does not clear.
cache_enabled=False in the same places is the control.
Refuted if, after clearing before the inner block, the outer BF16 block raises an error or gives FP16, while
with cache_enabled=False it works.
"""
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
BF16, FP16 = torch.bfloat16, torch.float16
torch.manual_seed(0)
layers = torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1)
model = torch.nn.Sequential(*layers).to(device)
x = torch.randn(32, 64, device=device)


def trial(clear_before, clear_after=False, outer=BF16, inner=FP16, train=False, **options):
    """What the model gives in the outer block after the inner one."""
    model.zero_grad()
    said = []
    try:
        with torch.autocast(device, outer):
            said.append(str(model(x).dtype))
            if clear_before:
                torch.clear_autocast_cache()
            with torch.autocast(device, inner, **options):
                said.append(str(model(x).dtype))
            if clear_after:
                torch.clear_autocast_cache()
            again = model(x)
            said.append(str(again.dtype))
            loss = again.float().square().mean()
        if train:
            loss.backward()
            said.append(str(model[0].weight.grad.dtype))
    except RuntimeError as error:
        said.append("RuntimeError: " + str(error)[:70])
    return said


rows = {
    "cleared before": trial(True),
    "cleared before, FP16 outside": trial(True, outer=FP16, inner=BF16),
    "cleared before, trained outside": trial(True, train=True),
    "cleared before and behind": trial(True, True),
    "cache_enabled=False": trial(False, cache_enabled=False, train=True),
    "cache_enabled=False, FP16 outside": trial(False, cache_enabled=False, outer=FP16, inner=BF16),
}
for name, said in rows.items():
    print(name, said)
broken = [n for n, said in rows.items() if n.startswith("cleared before") and "behind" not in n and (said[-1].startswith("Runtime"))]
control = all(not s[-1].startswith("Runtime") for n, s in rows.items() if n.startswith("cache_enabled"))
if not control:
    raise SystemExit("control failed: cache_enabled=False raised, too")
if broken:
    print(f"REFUTED: after clearing before the inner block, the outer block raises: {broken}; with cache_enabled=False it works")
else:
    print("NOT REFUTED: the outer block went on in all cases")
