"""'Most of the time of a first pinning is probably work for the operating system.' Expects cudaHostAlloc(size) about = first touch of new memory + registering it, and that
registering touched memory is several times faster than cudaHostAlloc. Transparent huge pages: touched memory in huge pages registers faster than in small pages (madvise NOHUGEPAGE 15):
if so the advice on registering depends on them. Refuted if registering touched 4 KiB pages takes as long as cudaHostAlloc."""
import ctypes, json, mmap, time, traceback
from statistics import median
try:
    import torch
    empty = getattr(torch.accelerator, "empty_host_cache", None) or torch._C._host_emptyCache; now = time.perf_counter; torch.zeros(1, device="cuda"); torch.cuda.synchronize()
    rt = torch.cuda.cudart(); print(json.dumps({"thp": open("/sys/kernel/mm/transparent_hugepage/enabled").read().strip()}))
    torch.set_num_threads(1)
    for size in (2**20, 2**26, 2**28):
        rows = []
        for _ in range(5 if size < 2**28 else 2):
            empty(); b = now(); x = torch.empty(size, dtype=torch.uint8, pin_memory=True); alloc = now() - b; b = now(); x.fill_(1); fill = now() - b; del x
            b = now(); empty(); free = now() - b
            out = [alloc, fill, free]
            for advice in (14, 15):
                m = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS); m.madvise(advice); y = torch.frombuffer(m, dtype=torch.uint8)
                b = now(); y.fill_(1); touch = now() - b
                b = now(); code = rt.cudaHostRegister(y.data_ptr(), size, 0); reg = now() - b; assert int(code) == 0, code
                b = now(); rt.cudaHostUnregister(y.data_ptr()); unreg = now() - b; out += [touch, reg, unreg]; del y
                m2 = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS); m2.madvise(advice); z = torch.frombuffer(m2, dtype=torch.uint8)
                b = now(); rt.cudaHostRegister(z.data_ptr(), size, 0); out.append(now() - b); rt.cudaHostUnregister(z.data_ptr()); del z
            rows.append(out)
        names = ["alloc", "fill_pinned", "free"] + [f"{a}_{b}" for a in ("huge", "small") for b in ("touch", "register", "unregister", "register_untouched")]
        print(json.dumps({"size": size, **{k: round(median(v) * 1e3, 3) for k, v in zip(names, zip(*rows))}}), flush=True)
    from torch.profiler import ProfilerActivity, profile
    empty()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as p: q = torch.ones(2**26, dtype=torch.uint8).pin_memory()
    print(json.dumps({e.key: round(e.cpu_time_total / 1e3, 2) for e in p.key_averages()}))
except BaseException: traceback.print_exc()
