"""Attacks on which_gpu.md, two GPUs; prints REFUTED or held for each."""
import threading, warnings, torch, torch.nn.functional as F
from torch.utils._pytree import tree_flatten
warnings.simplefilter("ignore")
from concurrent.futures import ThreadPoolExecutor
def verdict(name, bad): print(("REFUTED " if bad else "held ") + name, bad or "")
def bare(): return str(torch.ones(1, device="cuda").device)
x = torch.rand(4, 5, device="cuda:0", requires_grad=True); d = x.detach(); i = torch.arange(4, device="cuda:0")
sq = torch.rand(3, 4, 4, device="cuda:0")
P = torch.nn.Parameter(torch.ones(2, device="cuda:0")); P.grad = torch.ones(2, device="cuda:0")
lstm = torch.nn.LSTM(4, 3).to("cuda:0"); bn = torch.nn.BatchNorm1d(5).to("cuda:0")
steps = torch.rand(2, 3, 4, device="cuda:0")
def adam():
    o = torch.optim.Adam([P]); o.step(); return [v for v in o.state[P].values() if v.dim()]
OPS = {
"where": lambda: torch.where(x > 0, x, 0.), "nonzero": lambda: torch.nonzero(x), "topk": lambda: x.topk(2), "multinomial": lambda: torch.multinomial(d, 2),
"std": lambda: x.std(), "svd": lambda: torch.linalg.svd(sq), "solve": lambda: torch.linalg.solve(sq, sq), "searchsorted": lambda: torch.searchsorted(d[0].sort()[0], 0.5),
"bucketize": lambda: torch.bucketize(d, d[0].sort()[0]), "one_hot": lambda: F.one_hot(i), "cdist": lambda: torch.cdist(x, x), "grad": lambda: torch.autograd.grad(x.sum(), x),
"index list": lambda: x[[0, 1]], "repeat_interleave": lambda: x.repeat_interleave(2), "gumbel": lambda: F.gumbel_softmax(x), "sdpa": lambda: F.scaled_dot_product_attention(x, x, x),
"cov": lambda: torch.cov(x), "histc": lambda: torch.histc(d), "unique": lambda: torch.unique(x), "block_diag": lambda: torch.block_diag(x, x), "cartesian": lambda: torch.cartesian_prod(i, i),
"combinations": lambda: torch.combinations(i), "fft": lambda: torch.fft.fft(d), "stft": lambda: torch.stft(torch.rand(400, device="cuda:0"), 64, return_complex=True), "lstm": lambda: lstm(steps),
"bn": lambda: bn(x), "dropout": lambda: F.dropout(x), "bernoulli": lambda: torch.bernoulli(d), "normal": lambda: torch.normal(d, 1.0), "Normal": lambda: torch.distributions.Normal(x, 1.0).sample(),
"Categorical": lambda: torch.distributions.Categorical(logits=x).sample(), "clip": lambda: torch.nn.utils.clip_grad_norm_([P], 1.0), "adam": adam, "mm": lambda: d @ d.T, "interp": lambda: F.interpolate(x[None], size=3),
"quantile": lambda: x.quantile(.5), "cpu number": lambda: x + torch.ones((), device="cpu"), "jacrev": lambda: torch.func.jacrev(torch.sin)(d), "sort": lambda: x.sort(), "randperm_like": lambda: torch.rand_like(x),
"argsort": lambda: x.argsort(), "cumsum": lambda: x.cumsum(0), "median": lambda: x.median(), "mode": lambda: x.mode(), "scatter": lambda: d.scatter(0, i[None], d), "tril": lambda: x.tril(), "pca": lambda: torch.pca_lowrank(torch.rand(6, 5, device="cuda:0")),
"autocast mm": lambda: mm16(), "compile": lambda: torch.compile(torch.sin)(d), "checkpoint": lambda: torch.utils.checkpoint.checkpoint(torch.sin, x, use_reentrant=False),
}
def mm16():
    with torch.autocast("cuda", torch.bfloat16): return d @ d.T
bad = {}
for name, op in OPS.items():
    try:
        with torch.device("cuda:1"), torch.cuda.device(1): out = op()
    except Exception as e: bad[name] = f"{type(e).__name__} {str(e)[:90]}"; continue
    seen = {str(t.device) for t in tree_flatten(out)[0] if isinstance(t, torch.Tensor)}
    if seen != {"cuda:0"}: bad[name] = seen
verdict(f"results-stay-with-their-inputs ({len(OPS)} operations, both settings on cuda:1)", bad)
bad = {}
pool = ThreadPoolExecutor(1); pool.submit(lambda: None).result(); torch.cuda.set_device(1)
if pool.submit(bare).result() != "cuda:0": bad["older thread"] = pool.submit(bare).result()
torch.cuda.set_device(0)
seen = {}
class Spy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t): return t * 2
    @staticmethod
    def backward(ctx, g): seen["backward"] = (torch.cuda.current_device(), threading.current_thread() is threading.main_thread()); return g
t = torch.ones(2, device="cuda:1", requires_grad=True); t.register_hook(lambda g: seen.update(hook=torch.cuda.current_device())); Spy.apply(t).sum().backward()
print("engine, tensor on cuda:1, current 0:", seen)
verdict("a-new-thread-starts-at-the-first-gpu", bad)
y = torch.ones(1, device="cuda:0"); m = torch.nn.Linear(1, 1).to("cuda:0"); stays = []
with torch.cuda.device(1):
    for name, f in {"to dtype": lambda: y.to("cuda", torch.float32), "to no copy": lambda: y.to("cuda", copy=False), "type": lambda: y.type("torch.cuda.FloatTensor"), "module": lambda: m.to("cuda").weight, "as_tensor": lambda: torch.as_tensor(y, device="cuda"), "non_blocking": lambda: y.to("cuda", non_blocking=True), "current_accelerator": lambda: y.to(torch.accelerator.current_accelerator())}.items():
        if str(f().device) != "cuda:1": stays.append(name)
verdict("a-bare-to-moves-between-gpus", stays)
bad = {}
def gen():
    with torch.cuda.device(1): yield bare()
    yield bare()
g = gen(); next(g); bad["while suspended"] = bare() if bare() != "cuda:0" else None; next(g); bad["after"] = bare() if bare() != "cuda:0" else None; torch.cuda.set_device(0)
with torch.cuda.device(1): torch.cuda.set_device(0)
bad["set inside"] = bare() if bare() != "cuda:0" else None
with torch.cuda.device(0):
    with torch.cuda.device(1): torch.cuda.set_device(1)
    if bare() != "cuda:0": bad["nested"] = bare()
with torch.cuda.stream(torch.cuda.Stream(1)):
    with torch.cuda.device(0): pass
    if bare() != "cuda:1": bad["device in stream"] = bare()
if bare() != "cuda:0": bad["after stream"] = bare()
for n in (None, -1):
    with torch.cuda.device(n): pass
    if bare() != "cuda:0": bad[str(n)] = bare()
verdict("contexts-restore", {k: v for k, v in bad.items() if v})
from torch.utils.data import DataLoader, RandomSampler, WeightedRandomSampler, random_split
data = torch.arange(8); ok = {}
for name, f in {"workers": lambda: list(DataLoader(data, shuffle=True, num_workers=2)), "replacement": lambda: list(RandomSampler(data, replacement=True)), "split": lambda: random_split(data, [4, 4]), "weighted": lambda: list(WeightedRandomSampler([1.] * 8, 8)), "no shuffle": lambda: list(DataLoader(data))}.items():
    try:
        with torch.device("cuda:1"): f()
        ok[name] = "runs"
    except Exception as e: ok[name] = f"{type(e).__name__}: {str(e)[:70]}"
with torch.device("cuda:1"): loader = DataLoader(data, shuffle=True)
try: list(loader); ok["made inside, read outside"] = "runs"
except Exception as e: ok["made inside, read outside"] = str(e)[:70]
print("a-default-device-breaks-shuffling:", ok)
# synchronize: through a waiting stream it reaches the other GPU; a side stream of the current GPU is waited for
side = torch.cuda.Stream(0)
with torch.cuda.stream(side): torch.cuda._sleep(10**8)
torch.cuda.synchronize(); print("side stream of the current GPU busy after synchronize():", not side.query())
with torch.cuda.device(1): torch.cuda._sleep(10**8); e = torch.cuda.current_stream().record_event()
torch.cuda.current_stream(0).wait_event(e); torch.cuda.synchronize(0); print("cuda:1 busy after cuda:0, which waits for it, was synchronised:", not e.query())
