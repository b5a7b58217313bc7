"""custom_functions.md: "A kernel that needs one data type can have its inputs cast: ... an operator by a registration"; "Right:
the operator registers the type that it needs."
Attack: an operator that writes to one of its inputs (mutates_args), as many Triton kernels do. In a block, the cast makes a copy
of a BF16 tensor, and the kernel writes to the copy.
Refuted if in the block the call raises nothing, and the tensor that was to be written is unchanged."""
import torch

dev = "cuda" if torch.cuda.is_available() else "cpu"


@torch.library.custom_op("site18::add_into", mutates_args={"total"})
def add_into(total: torch.Tensor, x: torch.Tensor) -> None:
    total.add_(x)


try:
    add_into.register_autocast(dev, torch.float32)
    registered = True
except Exception as e:
    registered = False
    print(f"registration of a mutating operator raises {type(e).__name__}: {e}")
rows = {}
if registered:
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        for block in (False, True):
            total, x = (torch.full((4,), v, device=dev, dtype=dtype) for v in (1.0, 2.0))
            try:
                with torch.autocast(dev, dtype=torch.bfloat16, enabled=block):
                    add_into(total, x)
                rows[dtype, block] = total.tolist()
            except RuntimeError as e:
                rows[dtype, block] = f"raises {str(e)[:80]}"
            print(f"{dtype}, {'in a block' if block else 'without a block'}: {rows[dtype, block]}")
    assert rows[torch.bfloat16, False] == [3.0] * 4
bad = [f"{str(d)[6:]}: the tensor still holds {v[0]}" for (d, b), v in rows.items() if b and v == [1.0] * 4]
print(f"REFUTED: the write is lost in the block: {'; '.join(bad)}" if bad else f"NOT REFUTED: a mutating operator, registered {registered}")
