"""Attack: another_gpu.md 'GPUs that hold equally many threads agree in all numbers'; 'For an H100 with SXM ... it agrees in all': this GPU against the computed numbers of (132, 2048), and hashes to lay beside those of the other model."""
import hashlib, json, os, warnings
from pathlib import Path
import torch
warnings.simplefilter("ignore")
DEVICE, N = os.environ.get("DEVICE", "cuda"), 10**6
text = Path("examples/determinism/the_grid_decides_where_seeds_agree.py").read_text()
text = text[text.index("LOW = "):text.index("def given")].replace('device="cuda"', f'device="{DEVICE}"')
exec(text)  # times, philox, drawn: of the example itself
if DEVICE == "cuda":
    here = torch.cuda.get_device_properties(0)
    name, own = here.name, (here.multi_processor_count, here.max_threads_per_multi_processor)
else: name, own = "CPU", (0, 0)
F = torch.nn.functional
DRAWS = {
    "rand": lambda: torch.rand(N, device=DEVICE),
    "randn": lambda: torch.randn(N, device=DEVICE),
    "randperm": lambda: torch.randperm(N, device=DEVICE),
    "dropout": lambda: F.dropout(torch.ones(N, device=DEVICE), 0.5) != 0,
    "rand FP64": lambda: torch.rand(N, device=DEVICE, dtype=torch.float64),
    "randn BF16": lambda: torch.randn(N, device=DEVICE, dtype=torch.bfloat16),
    "bernoulli": lambda: torch.empty(N, device=DEVICE).bernoulli_(0.3),
    "bernoulli of tensors": lambda: torch.bernoulli(torch.full((N,), 0.3, device=DEVICE)),
    "randint": lambda: torch.randint(0, 1000, (N,), device=DEVICE),
    "exponential": lambda: torch.empty(N, device=DEVICE).exponential_(),
    "multinomial": lambda: torch.multinomial(torch.ones(10**4, device=DEVICE), 1000),
}
def bits(x): return hashlib.sha256(x.view(torch.uint8).cpu().numpy().tobytes()).hexdigest()[:16]
hashes, unsteady = {}, []
for what, draw in DRAWS.items():
    for seed in range(4):
        found = []
        for _ in range(2):
            torch.manual_seed(seed)
            found.append((bits(draw()), bits(torch.rand(1000, device=DEVICE))))  # and where the generator is then
        hashes[f"{what}, {seed}"] = found[0]
        if found[0] != found[1]: unsteady.append(f"{what}, {seed}")
wrong = []
for seed in range(4):
    torch.manual_seed(seed)
    first, second = torch.rand(N, device=DEVICE), torch.rand(N, device=DEVICE)
    wanted = drawn((132, 2048), N, N, seed=seed)
    wrong += [f"seed {seed}, draw {n}" for n, (x, y) in enumerate(zip((first, second), wanted)) if not torch.equal(x, y)]
print("HASHES", json.dumps({"gpu": name, "own": own, "torch": torch.__version__, "hashes": hashes}))
if out := os.environ.get("OUT"):
    place = Path(out, "attacks"); place.mkdir(parents=True, exist_ok=True)
    (place / f"hashes_{name.split()[1] if ' ' in name else name}.json").write_text(json.dumps(hashes, indent=1))
if against := os.environ.get("AGAINST"):  # a file of the other GPU
    other = json.loads(Path(against).read_text())
    apart = [k for k, v in hashes.items() if list(v) != list(other.get(k, ()))]
    print(f"REFUTED beside {against}: {apart}" if apart else f"HOLDS all {len(hashes)} draws as in {against}")
print({"gpu": name, "own": own, "unsteady": unsteady, "not_as_computed": wrong})
good = own == (132, 2048) and not wrong
print(f"HOLDS on {name}, 4 seeds, 2 draws of {N:,}: torch.rand as computed for 132 x 2048; the rest by the hashes" if good else f"REFUTED on {name} {own}: {wrong}")
