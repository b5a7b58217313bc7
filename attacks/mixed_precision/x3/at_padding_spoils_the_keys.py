"""attention.md: "Queries that see some keys are not affected: their results are right in 18 of 18 cases"; lead: "mask with
booleans rather than with large numbers".
Attack: backward, with a padded query in the SAME sequence as good ones (the page's padded sequence is one of its own). Only the
good queries' results go into the loss, whose gradient at the padded query is zero; keys and values get gradients from all.
Smallest FP32 number, minus infinity, and a plain boolean mask, for each kernel alone, in a BF16 and an FP16 block.
Refuted if a gradient of a query that sees keys, or of a key or value that it sees, is NaN where "all or some" gives none."""
import warnings
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

dev = "cuda" if torch.cuda.is_available() else "cpu"
attend = torch.nn.functional.scaled_dot_product_attention
every = [SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
KINDS = {"default": every, "cudnn": every[0], "efficient": every[2], "math": every[3]}
torch.manual_seed(0)
visible = torch.zeros(2, 1, 64, 64, dtype=torch.bool, device=dev)
visible[..., :32] = True
visible[..., 40:, :] = False  # the last queries of each sequence are padding, and see no key
good = slice(0, 40)
MASKS = {
    "smallest FP32": torch.zeros(2, 1, 64, 64, device=dev).masked_fill(~visible, torch.finfo(torch.float32).min),
    "minus infinity": torch.zeros(2, 1, 64, 64, device=dev).masked_fill(~visible, -torch.inf),
    "boolean": visible,
    "all or some": visible | ~visible.any(-1, keepdim=True),
}
bad = []
for block in (torch.bfloat16, torch.float16, None):
    for kind, allowed in KINDS.items():
        for name, mask in MASKS.items():
            q, k, v = (torch.randn(2, 4, 64, 64, device=dev, requires_grad=True) for _ in range(3))
            with warnings.catch_warnings(action="ignore"), sdpa_kernel(allowed):
                try:
                    with torch.autocast(dev, dtype=block, enabled=block is not None):
                        result = attend(q, k, v, attn_mask=mask)
                except RuntimeError as e:
                    print(f"{block}, {kind}, {name}: not taken")
                    continue
            try:
                result[:, :, good].float().square().sum().backward()
            except RuntimeError as e:
                print(f"{block}, {kind}, {name}: backward raises {str(e)[:80]}")
                continue
            finite = {
                "results of good queries": result[:, :, good].isfinite().all().item(),
                "results of padding": result.isfinite().all().item(),
                "good queries": q.grad[:, :, good].isfinite().all().item(),
                "keys": k.grad.isfinite().all().item(),
                "values": v.grad.isfinite().all().item(),
            }
            broken = [what for what, ok in finite.items() if not ok]
            print(f"{block}, {kind}, {name}: not finite: {broken or 'nothing'}")
            spoiled = [what for what in broken if what != "results of padding"]
            if name == "all or some":
                if broken:
                    bad.append(f"{block}, {kind}, even all or some: {broken}")
            elif spoiled and block is not None:
                bad.append(f"{str(block)[6:]}, {kind}, {name}: NaN in {' and '.join(spoiled)}")
print(f"REFUTED: {'; '.join(bad)}" if bad else "NOT REFUTED: three masks, four choices of kernel, two blocks")
