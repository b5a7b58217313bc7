"""Is this torch what it says, and does it work on these GPUs?"""
import os, re, subprocess, sys, time
import torch
import torch.nn.functional as F


def loaded():
    found = {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
    return sorted(p for p in found if re.search(r"cublas|cudnn|nccl|cudart|cusparse|cusolver|cufft|curand|nvrtc|cupti|nvshmem|nvJitLink|libtorch|libcuda", p))


def rank(r, port):
    import torch.distributed as dist
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    torch.cuda.set_device(r)
    dist.init_process_group("nccl", rank=r, world_size=2, device_id=torch.device("cuda", r))
    x = torch.full((1 << 20,), float(r + 1), device="cuda")
    dist.all_reduce(x)
    ok = bool((x == 3).all())
    gathered = [torch.empty(4, device="cuda") for _ in range(2)]
    dist.all_gather(gathered, torch.full((4,), float(r), device="cuda"))
    ok &= [g[0].item() for g in gathered] == [0, 1]
    print(f"rank {r}: NCCL {torch.cuda.nccl.version()} ok={ok}", [p for p in loaded() if "nccl" in p], flush=True)
    dist.destroy_process_group()
    sys.exit(0 if ok else 1)


def relative(a, b):
    return ((a.double().cpu() - b.double()).norm() / b.double().norm()).item()


def main():
    good = True

    def say(name, value, ok):
        nonlocal good
        if name.split()[0] in ("torch", "GPUs", "product", "convolution", "compiled", "graph", "two"):
            good &= bool(ok)
        print(f"{'ok ' if ok else 'BAD'} {name}: {value}", flush=True)

    began = time.time()
    print(torch.__config__.show())
    say("torch", (torch.__version__, torch.__file__, torch.version.cuda, torch.version.git_version), torch.__version__.startswith("2.14.1"))
    say("GPUs", [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())], torch.cuda.device_count() == 2)
    say("arch list", torch.cuda.get_arch_list(), True)
    say("cuDNN", torch.backends.cudnn.version(), torch.backends.cudnn.version() == 92400)
    import triton
    say("triton", (triton.__version__, triton.__file__), triton.__version__ == "3.8.0")
    torch.manual_seed(0)
    a, b = torch.randn(1024, 512), torch.randn(512, 768)
    for dtype, most in ((torch.float32, 1e-5), (torch.bfloat16, 1e-2), (torch.float16, 1e-2), (torch.float64, 1e-13)):
        e = relative(a.to("cuda", dtype) @ b.to("cuda", dtype), a.double() @ b.double())
        say(f"product {dtype}", e, e < most)
    x, w = torch.randn(4, 16, 40, 40), torch.randn(32, 16, 3, 3)
    want = F.conv2d(x.double(), w.double(), padding=1)
    for dtype, most in ((torch.float32, 2e-3), (torch.bfloat16, 1e-2)):
        e = relative(F.conv2d(x.to("cuda", dtype), w.to("cuda", dtype), padding=1), want)
        say(f"convolution {dtype}", e, e < most)
    x.requires_grad_()
    xg = x.detach().cuda().requires_grad_()
    F.conv2d(x, w, padding=1).square().sum().backward(); F.conv2d(xg, w.cuda(), padding=1).square().sum().backward()
    e = relative(xg.grad, x.grad)
    say("convolution backward", e, e < 5e-3)
    q, k, v = (torch.randn(2, 8, 256, 64) for _ in range(3))
    want = F.scaled_dot_product_attention(q.double(), k.double(), v.double())
    from torch.nn.attention import SDPBackend, sdpa_kernel
    for backend in (SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.CUDNN_ATTENTION, SDPBackend.MATH):
        try:
            with sdpa_kernel(backend):
                e = relative(F.scaled_dot_product_attention(*(t.cuda().bfloat16() for t in (q, k, v))), want)
            say(f"attention {backend}", e, e < 2e-2)
        except Exception as error:
            say(f"attention {backend}", repr(error)[:300], False)
    for name, call in {"svd": lambda: torch.linalg.svdvals(a.cuda()).cpu(), "fft": lambda: torch.fft.fft(a.cuda()).abs().cpu(),
                       "sparse": lambda: torch.sparse.mm(a.to_sparse_csr().cuda(), b.cuda()).cpu(), "rand": lambda: torch.rand(10, device="cuda").cpu(),
                       "solve": lambda: torch.linalg.solve(torch.eye(64, device="cuda") * 2, torch.ones(64, device="cuda")).cpu()}.items():
        try:
            say(name, call().flatten()[:3].tolist(), True)
        except Exception as error:
            say(name, repr(error)[:300], False)

    def f(x):
        return torch.nn.functional.gelu(x @ x.T).softmax(-1).sum(0)
    x = torch.randn(512, 512, device="cuda")
    t = time.time()
    e = relative(torch.compile(f)(x), f(x).cpu())
    say("compiled", (e, f"{time.time() - t:.1f} s"), e < 1e-4)
    t = time.time()
    e = relative(torch.compile(f, mode="reduce-overhead")(x), f(x).cpu())
    say("compiled, reduce-overhead", (e, f"{time.time() - t:.1f} s"), e < 1e-4)
    graph = torch.cuda.CUDAGraph()
    s = torch.zeros(8, device="cuda")
    with torch.cuda.graph(graph):
        s += 1
    graph.replay()
    say("graph", s.tolist()[:2], s[0].item() == 1)
    with torch.profiler.profile(activities=list(torch.profiler.supported_activities())) as prof:
        f(x); torch.cuda.synchronize()
    names = [e.key for e in prof.key_averages() if "CUDA" in str(e.device_type)]
    say("profiler sees kernels", [n[:70] for n in names], names)
    libs = loaded()
    print("\n".join(libs))
    say("one cuDNN", sorted({os.path.dirname(p) for p in libs if "cudnn" in p}), len({os.path.dirname(p) for p in libs if "cudnn" in p}) == 1)
    say("one cuBLAS", sorted({p for p in libs if "libcublas." in p}), len({p for p in libs if "libcublas." in p}) == 1)
    procs = [subprocess.Popen([sys.executable, __file__, str(r)]) for r in range(2)]
    codes = [p.wait(90) for p in procs]
    say("two ranks of NCCL", codes, codes == [0, 0])
    print(f"{time.time() - began:.1f} s")
    print("ALL GOOD" if good else "NOT GOOD")


if __name__ == "__main__":
    rank(int(sys.argv[1]), 29555) if len(sys.argv) > 1 else main()
