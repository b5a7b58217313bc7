"""Can it be shown that pageable memory moves and pinned memory stays? Expects: /proc/self/pagemap gives frame numbers (root only); MADV_COLLAPSE (25) moves ordinary small pages into a huge
page (frames change), and leaves registered (pinned) pages where they are; MADV_PAGEOUT (21) swaps out ordinary pages if there is swap, and no pinned ones. Refuted/unshowable: no root, no swap."""
import ctypes, json, mmap, os, struct, time, traceback
try:
    import torch
    torch.zeros(1, device="cuda"); rt = torch.cuda.cudart(); libc = ctypes.CDLL(None, use_errno=True)
    print(json.dumps({"uid": os.getuid(), "swaps": open("/proc/swaps").read().splitlines()[1:], "kernel": os.uname().release, "meminfo": [l.strip() for l in open("/proc/meminfo") if l.split(":")[0] in ("SwapTotal", "MemTotal", "Unevictable", "Mlocked")]}))
    n = 8 * 2**20; page = 4096
    def frames(addr, size):
        with open("/proc/self/pagemap", "rb") as f:
            f.seek(addr // page * 8); raw = f.read(size // page * 8)
        return [v for (v,) in struct.iter_unpack("<Q", raw)]
    def state(fr): return {"present": sum(v >> 63 & 1 for v in fr), "swapped": sum(v >> 62 & 1 for v in fr), "known_pfn": sum(bool(v & (2**55 - 1)) for v in fr)}
    def madvise(addr, size, what):
        ctypes.set_errno(0); rc = libc.madvise(ctypes.c_void_p(addr), ctypes.c_size_t(size), what); return rc, os.strerror(ctypes.get_errno()) if rc else ""
    for kind in ("pageable", "registered", "pin_memory"):
        if kind == "pin_memory":
            t = torch.ones(n, dtype=torch.uint8).pin_memory(); addr = t.data_ptr()
        else:
            m = mmap.mmap(-1, n + 2**21, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS); base = torch.frombuffer(m, dtype=torch.uint8); addr = (base.data_ptr() + 2**21 - 1) & -2**21
            madvise(addr, n, 15); base.fill_(1)
            if kind == "registered": print(json.dumps({"register": int(rt.cudaHostRegister(addr, n, 0))}))
        a = frames(addr, n); out = {"kind": kind, "before": state(a)}
        out["hugepage"] = madvise(addr, n, 14); out["collapse"] = madvise(addr, n, 25); b = frames(addr, n)
        out["moved_by_collapse"] = sum((x ^ y) & (2**55 - 1) != 0 for x, y in zip(a, b)); out["after_collapse"] = state(b)
        out["pageout"] = madvise(addr, n, 21); c = frames(addr, n); out["after_pageout"] = state(c)
        out["smaps"] = [l.split() for l in open("/proc/self/smaps").read().split("\n") if l.startswith(("Locked", "VmLck"))][:0]
        if kind == "registered": rt.cudaHostUnregister(addr); d = madvise(addr, n, 25); out["collapse_after_unregister"] = d; out["moved_after_unregister"] = sum((x ^ y) & (2**55 - 1) != 0 for x, y in zip(c, frames(addr, n)))
        print(json.dumps(out), flush=True)
except BaseException: traceback.print_exc()
