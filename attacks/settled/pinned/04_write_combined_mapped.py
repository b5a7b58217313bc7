"""Write-combined memory (cudaHostAlloc, flag 4, by ctypes and by cuda.bindings). Expects: is_pinned() True; H2D alike; host reads far slower than ordinary pinned
memory (unless the virtual machine ignores the memory type: then as fast, and the page must say so); host writes alike. Mapped: the pointer of any
pin_memory() tensor can be read by a kernel (as_tensor of its address); a kernel's read runs at link speed, each time again; a sparse gather of rows from
it beats copying the whole. Refutes: as_tensor refuses, or reads are as fast as device memory."""
import ctypes, json, time, traceback
from statistics import median
try:
    import torch
    sync, now = torch.cuda.synchronize, time.perf_counter
    torch.cuda.init(); torch.zeros(1, device="cuda")
    rt = ctypes.CDLL(f"libcudart.so.{torch.version.cuda.split('.')[0]}")
    n = 2**26
    def alloc(flags):
        p = ctypes.c_void_p(); code = rt.cudaHostAlloc(ctypes.byref(p), ctypes.c_size_t(n), ctypes.c_uint(flags)); assert code == 0, code
        return torch.frombuffer((ctypes.c_uint8 * n).from_address(p.value), dtype=torch.uint8), p
    gpu = torch.empty(n, dtype=torch.uint8, device="cuda")
    plain = torch.ones(n, dtype=torch.uint8); sink = torch.empty(n, dtype=torch.uint8); sink.fill_(0)
    kinds = {"pageable": plain, "default": alloc(0)[0], "portable": alloc(1)[0], "mapped": alloc(2)[0], "wc": alloc(4)[0], "wc_portable_mapped": alloc(7)[0], "pin_memory": plain.pin_memory()}
    def t(f):
        sync(); b = now(); f(); sync(); return now() - b
    for k, x in kinds.items(): x.fill_(1)
    end = now() + .3
    while now() < end: gpu.copy_(kinds["default"]); sync()
    part = 2**22
    for threads in (1, 8):
        torch.set_num_threads(threads)
        for k, x in kinds.items():
            try:
                h2d = median(t(lambda: gpu.copy_(x, non_blocking=True)) for _ in range(5)); d2h = median(t(lambda: x.copy_(gpu, non_blocking=True)) for _ in range(5))
                write = median(t(lambda: x[:part].copy_(plain[:part])) for _ in range(5)); fill = median(t(lambda: x[:part].fill_(1)) for _ in range(5))
                read = median(t(lambda: sink[:part].copy_(x[:part])) for _ in range(3)); add = median(t(lambda: x[:part].view(torch.int64).sum()) for _ in range(3))
                print(json.dumps({"threads": threads, "kind": k, "is_pinned": x.is_pinned(), "h2d_GBs": round(n / h2d / 1e9, 2), "d2h_GBs": round(n / d2h / 1e9, 2), "write_GBs": round(part / write / 1e9, 2),
                    "fill_GBs": round(part / fill / 1e9, 2), "read_GBs": round(part / read / 1e9, 3), "sum_GBs": round(part / add / 1e9, 3)}), flush=True)
            except BaseException as e: print(json.dumps({"kind": k, "error": repr(e)}))
    try:
        from cuda.bindings import runtime
        print(json.dumps({"bindings": str(runtime.cudaHostAlloc(4096, 4)), "wc": str(getattr(runtime, "cudaHostAllocWriteCombined", None))}))
    except BaseException as e: print(json.dumps({"bindings": repr(e)}))
except BaseException: traceback.print_exc()
try:
    class View:
        def __init__(self, x):
            self.x = x
            self.__cuda_array_interface__ = {"shape": tuple(x.shape), "typestr": "<f4", "data": (x.data_ptr(), False), "version": 2}
    host = torch.ones(2**24).pin_memory(); host[5] = 3
    seen = torch.as_tensor(View(host), device="cuda")
    print(json.dumps({"mapped_device": str(seen.device), "same_address": seen.data_ptr() == host.data_ptr(), "sum": seen.double().sum().item(), "is_pinned": bool(host.is_pinned())}))
    host[6] = 9; sync(); print(json.dumps({"sees_write": seen[6].item() == 9}))
    seen[7] = 11; sync(); print(json.dumps({"host_sees_gpu_write": host[7].item() == 11}))
    dev = host.to("cuda")
    def ev(f):
        f(); a, b = (torch.cuda.Event(enable_timing=True) for _ in range(2)); v = []
        for _ in range(7):
            torch.cuda._sleep(200_000); a.record(); f(); b.record(); b.synchronize(); v.append(a.elapsed_time(b) / 1e3)
        return median(v)
    nb = host.nbytes
    print(json.dumps({"sum_mapped_GBs": round(nb / ev(lambda: seen.sum()) / 1e9, 2), "sum_again_GBs": round(nb / ev(lambda: seen.sum()) / 1e9, 2), "sum_device_GBs": round(nb / ev(lambda: dev.sum()) / 1e9, 2),
        "copy_GBs": round(nb / ev(lambda: dev.copy_(host, non_blocking=True)) / 1e9, 2), "add_mapped_GBs": round(nb / ev(lambda: torch.add(seen, 1, out=dev)) / 1e9, 2)}), flush=True)
    table, seen2 = host.view(-1, 256), seen.view(-1, 256)     # 65536 rows of 1 KiB
    for rows in (64, 1024, 8192, 65536):
        idx = torch.randperm(table.shape[0])[:rows]; gidx = idx.cuda()
        cases = {"gather_mapped": lambda: seen2.index_select(0, gidx), "copy_all_then_gather": lambda: host.to("cuda", non_blocking=True).view(-1, 256).index_select(0, gidx), "gather_host_copy": lambda: table.index_select(0, idx).to("cuda"),
            "gather_host_pin_copy": lambda: table.index_select(0, idx).pin_memory().to("cuda", non_blocking=True)}
        out = {}
        for k, f in cases.items():
            f(); out[k + "_us"] = round(median(t(f) for _ in range(7)) * 1e6, 1)
        out["equal"] = bool(torch.equal(seen2.index_select(0, gidx).cpu(), table.index_select(0, idx)))
        print(json.dumps({"rows": rows, **out}), flush=True)
except BaseException: traceback.print_exc()
try:
    page = torch.ones(1024)
    try: print(json.dumps({"pageable_as_tensor": str(torch.as_tensor(View(page), device="cuda").device)}))
    except BaseException as e: print(json.dumps({"pageable_as_tensor": f"{type(e).__name__}: {e}"[:300]}))
except BaseException: traceback.print_exc()
