"""custom_functions.md: "The registered type is fixed: an operator that registers FP16 gets float16 float16 in a BF16 block";
"Right: the operator registers the type that it needs. In a BF16 block, it gives float32"; lead: "can have its inputs cast".
Attack: in a block, call the operator with an FP64 tensor, an integer one, a tensor on the CPU; tensors in a list; as a keyword
argument; register a second type.
Refuted if in an open block the kernel sees another floating-point type than the registered one, or the call raises although
the same call without a registration works."""
import torch

dev = "cuda" if torch.cuda.is_available() else "cpu"
seen = {}


def one(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    seen["types"] = [str(x.dtype)[6:], str(y.dtype)[6:]]
    return torch.zeros(1, device=dev)


def many(xs: list[torch.Tensor]) -> torch.Tensor:
    seen["types"] = [str(x.dtype)[6:] for x in xs]
    return torch.zeros(1, device=dev)


ops = {name: torch.library.custom_op(f"site18::{name}_r", f, mutates_args=()) for name, f in (("one", one), ("many", many))}
bare = {name: torch.library.custom_op(f"site18::{name}_b", f, mutates_args=()) for name, f in (("one", one), ("many", many))}
for op in ops.values():
    op.register_autocast(dev, torch.float16)
full, low = torch.ones(4, device=dev), torch.ones(4, device=dev, dtype=torch.bfloat16)
CALLS = {
    "FP32, BF16": ("one", (full, low), {}),
    "keyword": ("one", (full,), {"y": low}),
    "FP64, FP32": ("one", (full.double(), full), {}),
    "list of FP32, BF16": ("many", ([full, low],), {}),
}
if dev == "cuda":
    CALLS["FP32, CPU"] = ("one", (full, torch.ones(4)), {})
bad = []
for name, (which, args, kwargs) in CALLS.items():
    result = {}
    for kind, table in (("registered", ops), ("bare", bare)):
        seen.clear()
        with torch.autocast(dev, dtype=torch.bfloat16):
            try:
                table[which](*args, **kwargs)
                result[kind] = seen["types"]
            except Exception as e:
                result[kind] = f"raises {type(e).__name__}: {str(e)[:90]}"
    print(f"{name}: registered FP16 {result['registered']}; without a registration {result['bare']}")
    r = result["registered"]
    if isinstance(r, str):
        if not isinstance(result["bare"], str):
            bad.append(f"{name} {r[:60]}")
    elif set(r) != {"float16"}:
        bad.append(f"{name}: the kernel sees {' '.join(r)}")
print(f"REFUTED: {'; '.join(bad)}" if bad else f"NOT REFUTED: {len(CALLS)} calls")
