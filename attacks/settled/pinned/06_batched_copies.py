"""cudaMemcpyBatchAsync (CUDA 12.8+; torch 2.11 has no way to it) by ctypes from the libcudart that torch loaded: a thousand copies of 4 KB in one call.
Expects rc 0 on a stream that is not the default one, right bytes, host time of the call much less than 1000 cudaMemcpyAsync calls; GPU time per copy about the same as
single copies or less. Refuted where it fails, or is slower than packing. Also cuda.bindings."""
import ctypes, json, time, traceback
from statistics import median
try:
    import torch
    torch.cuda.init(); torch.zeros(1, device="cuda"); sync, now = torch.cuda.synchronize, time.perf_counter
    rt = ctypes.CDLL(f"libcudart.so.{torch.version.cuda.split('.')[0]}")
    class Loc(ctypes.Structure): _fields_ = [("type", ctypes.c_int), ("id", ctypes.c_int)]
    class Attr(ctypes.Structure): _fields_ = [("order", ctypes.c_int), ("src", Loc), ("dst", Loc), ("flags", ctypes.c_uint)]
    for size in (4000, 65536):
        N = 1000
        page = [torch.randn(size // 4) for _ in range(N)]; block = torch.stack(page).pin_memory(); pin = list(block)
        target = [torch.zeros(size // 4, device="cuda") for _ in range(N)]
        stream = torch.cuda.Stream(); A = ctypes.c_void_p * N; S = ctypes.c_size_t * N
        dsts, sizes = A(*[t.data_ptr() for t in target]), S(*[size] * N)
        def batch(src, order, st=stream):
            srcs = A(*[t.data_ptr() for t in src]); attr = Attr(order); idx = (ctypes.c_size_t * 1)(0)
            return rt.cudaMemcpyBatchAsync(dsts, srcs, sizes, ctypes.c_size_t(N), ctypes.byref(attr), idx, ctypes.c_size_t(1), ctypes.c_void_p(st.cuda_stream))
        def ones(src):
            for d, s in zip(target, src): rt.cudaMemcpyAsync(ctypes.c_void_p(d.data_ptr()), ctypes.c_void_p(s.data_ptr()), ctypes.c_size_t(size), 1, ctypes.c_void_p(stream.cuda_stream))
        def loop(src):
            for d, s in zip(target, src): d.copy_(s, non_blocking=True)
        packed = torch.empty(N * (size // 4), pin_memory=True); gp = torch.empty(N * (size // 4), device="cuda")
        def pack(src): torch.cat(src, out=packed); gp.copy_(packed, non_blocking=True)
        def timed(f):
            for _ in range(3): f()
            v, c = [], []
            for _ in range(7): sync(); b = now(); f(); m = now(); sync(); v.append(now() - b); c.append(m - b)
            return {"call_us": round(median(c) * 1e6, 1), "all_us": round(median(v) * 1e6, 1)}
        for name, src in (("pinned", pin), ("pageable", page)):
            for order in (1, 2, 3):
                [t.zero_() for t in target]; sync(); rc = batch(src, order); sync()
                good = all(torch.equal(t.cpu(), s) for t, s in zip(target[::37], src[::37]))
                print(json.dumps({"size": size, "src": name, "order": order, "rc": rc, "equal": good, **(timed(lambda: batch(src, order)) if rc == 0 else {})}), flush=True)
            print(json.dumps({"size": size, "src": name, "ctypes_loop": timed(lambda: ones(src)), "copy_loop": timed(lambda: loop(src)), "foreach": timed(lambda: torch._foreach_copy_(target, src, non_blocking=True)), "pack": timed(lambda: pack(src))}), flush=True)
        # the GPU's time, behind a sleep
        a, b = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        with torch.cuda.stream(stream):
            for name, f in (("batch pinned", lambda: batch(pin, 1)), ("batch any", lambda: batch(pin, 3)), ("one", lambda: gp.copy_(packed, non_blocking=True))):
                v = []
                for _ in range(5): sync(); torch.cuda._sleep(20_000_000); a.record(); f(); b.record(); b.synchronize(); v.append(a.elapsed_time(b) * 1e3)
                print(json.dumps({"size": size, "gpu_us": name, "us": round(median(v), 1)}), flush=True)
        rc = batch(pin, 1, torch.cuda.default_stream()); sync(); print(json.dumps({"default_stream_rc": rc}))
        rt.cudaGetLastError()
except BaseException: traceback.print_exc()
try:
    from torch.profiler import ProfilerActivity, profile
    from collections import Counter
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as p:
        batch(pin, 1); sync()
    print(json.dumps({"events": dict(Counter(e.name for e in p.events()).most_common(6))}))
    print(json.dumps({"torch_has": [n for n in dir(torch.cuda.cudart()) if "emcpy" in n or "Host" in n], "cuda_bindings": __import__("cuda.bindings", fromlist=["x"]).__version__}))
except BaseException: traceback.print_exc()
