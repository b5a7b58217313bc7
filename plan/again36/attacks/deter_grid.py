"""Attack: 'GPUs agree up to the smaller grid' for other types, layouts, ranges and distributions."""
import pathlib, re, torch
source = pathlib.Path("examples/determinism/the_grid_decides_where_seeds_agree.py").read_text()
space = {}
exec(source[: source.index("# First, this GPU")], space)
own, philox = space["own"], space["philox"]
bad = []
def bits(count):
    grid = 256 * min(own[0] * (own[1] // 256), -(-count // 256))
    place = torch.arange(count, device="cuda")
    turn, rest = place // (4 * grid), place % (4 * grid)
    return philox(turn, rest % grid, 0).gather(0, (rest // grid)[None])[0]
for count in (5, 270_337, 2**20):
    torch.manual_seed(0)
    if not torch.equal(torch.randint(1000, (count,), device="cuda"), bits(count) % 1000):
        bad.append(("randint", count))
    torch.manual_seed(0)
    half = torch.rand(count, device="cuda", dtype=torch.float16)
    want = (bits(count).float() * 2**-32 + 2**-33).half()
    if not torch.equal(half, torch.where(want == 1, 0, want)):
        bad.append(("half", count))
    torch.manual_seed(0)
    strided = torch.empty(count, 2, device="cuda")[:, 0].uniform_()
    if not torch.equal(strided, space["drawn"](own, count)[0]):
        bad.append(("strided", count))
    torch.manual_seed(0)
    turned = torch.empty(2, count, device="cuda").t().uniform_().flatten()
    if not torch.equal(turned, space["drawn"](own, 2 * count)[0]):
        bad.append(("transposed (order of memory, not of indices)", count))
    for name, draw in {"randn": torch.randn, "rand64": lambda n, device: torch.rand(n, device=device, dtype=torch.float64)}.items():
        torch.manual_seed(0); few = draw(count, device="cuda")
        torch.manual_seed(0); more = draw(2**21, device="cuda")
        n = min(count, own[0] * own[1])
        if not torch.equal(few[:n], more[:n]):
            bad.append((name + " prefix", count))
print(("REFUTED " + str(bad)) if bad else "HOLDS for randint, half, strided, randn and double prefixes")
