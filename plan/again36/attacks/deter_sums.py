"""Attack: whole numbers and integers repeat; cumsum and bilinear repeat in deterministic mode at other sizes and types."""
import torch
F = torch.nn.functional
bad = []
def others(call, n=10):
    first = call(); return sum(not torch.equal(first, call()) for _ in range(n))
i = torch.randint(7, (2**20,), device="cuda")
for kind in (torch.int8, torch.int32, torch.int64, torch.bool):
    x = torch.ones(2**16, device="cuda", dtype=kind)
    if others(lambda: torch.zeros(7, device="cuda", dtype=kind).index_add_(0, i[: 2**16], x), 4): bad.append(kind)
big = torch.full((2**20,), 2.0**20 + 1, device="cuda")  # whole, but sums beyond 2^24 round
print("whole numbers beyond 2^24 differ:", others(lambda: torch.zeros(7, device="cuda").index_add_(0, i, big)), "of 10 (the page says: need no rounding)")
torch.use_deterministic_algorithms(True)
for kind in (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64):
    for shape, dim in (((2**22,), 0), ((2048, 2048), 0), ((2048, 2048), 1), ((3, 2**20 + 1), 1)):
        x = torch.randn(shape, device="cuda", dtype=kind)
        try:
            if others(lambda: x.cumsum(dim), 5): bad.append(("cumsum", kind, shape, dim))
        except RuntimeError as error: bad.append(("cumsum raises", kind, str(error)[:60]))
for mode, shape in (("bilinear", (2, 8, 64, 64)), ("trilinear", (1, 4, 16, 16, 16))):
    for layout in (torch.contiguous_format, torch.channels_last if len(shape) == 4 else torch.channels_last_3d):
        for scale in (0.5, 2, 3.7):
            x = torch.randn(shape, device="cuda").to(memory_format=layout).requires_grad_()
            def call():
                torch.manual_seed(0)
                y = F.interpolate(x, scale_factor=scale, mode=mode)
                return torch.autograd.grad(y, x, torch.randn_like(y))[0]
            try:
                if others(call, 5): bad.append((mode, layout, scale))
            except RuntimeError as error: bad.append((mode, "raises", str(error)[:60]))
print(("REFUTED " + str(bad)) if bad else "HOLDS")
