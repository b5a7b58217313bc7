"""docs/execution/which_calls_wait.md: "The example's page has a row for each operator that waited or was reported; the others that ran did neither."
Attack: operators without such a row (in the record), with a million elements, FP16, BF16, complex or integers, long rows, and deterministic algorithms.
Refuted if one of them, forward or backward and in steady state, waits for the held stream behind 8 and behind 30 ms."""
import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("ignore")
event, n = torch.cuda.Event(), 1 << 20
torch.empty(4 << 30, dtype=torch.uint8, device="cuda")  # leaves cached memory
x, i, h = torch.rand(n, device="cuda"), torch.randint(n, (n,), device="cuda"), torch.rand(n, device="cuda").half()
m, c = torch.rand(1024, 1024, device="cuda"), torch.rand(n, device="cuda", dtype=torch.complex64)
leaf = torch.rand(1024, 1024, device="cuda", requires_grad=True)
long_rows, image = torch.rand(4, n // 4, device="cuda"), torch.rand(2, 8, 64, 64, device="cuda", requires_grad=True)
probs = torch.rand(16, 1 << 16, device="cuda")


def back(f, *inputs):
    out = f()
    inputs = inputs or (leaf,)
    return lambda: torch.autograd.grad(out, inputs, torch.ones_like(out), retain_graph=True)


def deterministic(f):
    def run():
        torch._C._set_deterministic_algorithms(True)  # without an import of the compiler
        try:
            f()
        finally:
            torch._C._set_deterministic_algorithms(False)

    return run


CASES = {
    "sort": lambda: x.sort(), "sort int": lambda: i.sort(stable=True), "sort rows": lambda: long_rows.sort(), "argsort half": lambda: h.argsort(),
    "topk": lambda: x.topk(1000), "topk rows": lambda: long_rows.topk(5), "kthvalue": lambda: x.kthvalue(5), "median": lambda: x.median(), "median dim": lambda: m.median(0),
    "nanmedian": lambda: x.nanmedian(), "quantile": lambda: x.quantile(0.5), "cumsum": lambda: x.cumsum(0), "cumsum int": lambda: i.cumsum(0), "cummax": lambda: x.cummax(0),
    "logcumsumexp": lambda: x.logcumsumexp(0), "prod": lambda: x.prod(), "any": lambda: x.any(), "count_nonzero": lambda: x.count_nonzero(), "renorm": lambda: m.renorm(2, 0, 1.0),
    "index_put": lambda: x.index_put((i,), x), "index_put accumulate": lambda: x.index_put((i,), x, accumulate=True), "index_add": lambda: x.index_add(0, i, x),
    "index_copy": lambda: x.index_copy(0, i, x), "scatter_add": lambda: x.scatter_add(0, i, x), "scatter_reduce": lambda: x.scatter_reduce(0, i, x, "prod"),
    "index_put deterministic": deterministic(lambda: x.index_put((i,), x, accumulate=True)), "scatter_add deterministic": deterministic(lambda: x.scatter_add(0, i, x)),
    "cumsum deterministic": deterministic(lambda: x.cumsum(0)), "put": lambda: x.put(i, x), "take": lambda: x.take(i), "index_reduce": lambda: x.index_reduce(0, i, x, "mean"),
    "masked_scatter": lambda: m.masked_scatter(m > 0.5, m), "multinomial": lambda: torch.multinomial(probs, 100), "multinomial replaced": lambda: torch.multinomial(probs, 100, replacement=True),
    "multinomial long": lambda: torch.multinomial(probs[0], 1), "randperm": lambda: torch.randperm(n, device="cuda"), "randperm small": lambda: torch.randperm(100, device="cuda"),
    "bernoulli": lambda: torch.bernoulli(x), "fft": lambda: torch.fft.fft(c), "fft odd": lambda: torch.fft.fft(c[:1000003]), "rfft2": lambda: torch.fft.rfft2(m),
    "stft": lambda: torch.stft(x, 1024, return_complex=True), "cdist": lambda: torch.cdist(m, m), "pdist": lambda: F.pdist(m), "bucketize": lambda: torch.bucketize(x, x.sort()[0]),
    "tril_indices": lambda: torch.tril_indices(1024, 1024, device="cuda"), "nonzero_static": lambda: torch.nonzero_static(m > 0.5, size=100), "roll": lambda: x.roll(5),
    "svd": lambda: torch.linalg.svd(m[:32, :32]), "qr": lambda: torch.linalg.qr(m[:256, :256]), "det": lambda: torch.linalg.det(m[:64, :64]), "slogdet batch": lambda: torch.linalg.slogdet(m.view(-1, 16, 16)),
    "solve_triangular": lambda: torch.linalg.solve_triangular(m, m, upper=True), "inv_ex": lambda: torch.linalg.inv_ex(m), "cholesky_ex": lambda: torch.linalg.cholesky_ex(m), "householder": lambda: torch.linalg.householder_product(m[:, :32], x[:32]),
    "lu_solve": lambda: torch.lu_solve(m, m, torch.arange(1, 1025, device="cuda", dtype=torch.int32)), "embedding": lambda: F.embedding(i, m.view(-1, 1)), "add half": lambda: h + 1,
    "interpolate": lambda: F.interpolate(image, scale_factor=2, mode="bicubic"), "sdpa half": lambda: F.scaled_dot_product_attention(*[h.view(4, 8, 512, 64)] * 3), "mm bf16": lambda: m.bfloat16() @ m.bfloat16(), "mm complex": lambda: c.view(1024, 1024) @ c.view(1024, 1024),
    "back sort": back(lambda: leaf.sort()[0]), "back cummax": back(lambda: leaf.cummax(0)[0]), "back index": back(lambda: leaf.view(-1)[i]), "back embedding": back(lambda: F.embedding(i % 1024, leaf)), "back std": back(lambda: leaf.std(0)),
    "back cdist": back(lambda: torch.cdist(leaf, leaf)), "back pool": back(lambda: F.adaptive_max_pool2d(image, 7), image), "back conv": back(lambda: F.conv2d(image, image[:, :, :3, :3]), image), "back solve_triangular": back(lambda: torch.linalg.solve_triangular(leaf, leaf, upper=True)), "back quantile": back(lambda: leaf.quantile(0.3, 0)),
    "back amax": back(lambda: leaf.amax(0)), "back norm": back(lambda: leaf.norm()), "back gather": back(lambda: leaf.gather(0, i.view(1024, 1024) % 1024)), "back det": back(lambda: torch.linalg.det(leaf[:32, :32])), "back svd": back(lambda: torch.linalg.svdvals(leaf[:16, :16])), "back kthvalue": back(lambda: leaf.kthvalue(3)[0]),
}


def over(run, cycles):
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    event.record()
    run()
    return event.query()


waiting, failed = [], {}
for name, run in CASES.items():
    try:
        run(), run()
        if over(run, 16_000_000) and over(run, 60_000_000):
            waiting.append(name)
    except Exception as error:
        failed[name] = f"{type(error).__name__}: {str(error)[:60]}"
print(len(CASES), "cases; could not run:", failed)
assert len(failed) < 12
print("waited:", waiting)
print(f"REFUTED: wait, and have no row: {waiting}" if waiting else f"NOT REFUTED: {len(CASES) - len(failed)} operators with other sizes and dtypes returned")
