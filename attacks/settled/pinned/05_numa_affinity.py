"""NUMA and affinity: what does this virtual machine show? Expects one node, no topology, and bandwidth that hardly depends on the core (pinned), while pageable copies
depend on where the calling thread runs. Refutes 'cannot be shown here' if there are several nodes."""
import json, os, subprocess, time, traceback, glob
from statistics import median
def sh(c):
    try: return subprocess.run(c, shell=True, capture_output=True, text=True, timeout=20).stdout.strip()[:1500]
    except BaseException as e: return repr(e)
print(json.dumps({"nodes": [os.path.basename(p) for p in glob.glob("/sys/devices/system/node/node*")], "topo": sh("nvidia-smi topo -m"), "lscpu": sh("lscpu | grep -iE 'numa|socket|core|model name|L3|thread|hyper'"),
    "gpu_node": sh("cat /sys/bus/pci/devices/*/numa_node | sort | uniq -c"), "thp": sh("cat /sys/kernel/mm/transparent_hugepage/enabled"), "affinity": len(os.sched_getaffinity(0)), "ulimit_l": sh("ulimit -l"),
    "numactl": sh("which numactl"), "cmdline": sh("cat /proc/cmdline"), "iommu": sh("ls /sys/kernel/iommu_groups | wc -l"), "pat": sh("grep -o -w -E 'pat|mtrr' /proc/cpuinfo | sort | uniq -c")}), flush=True)
try:
    import torch
    sync, now = torch.cuda.synchronize, time.perf_counter
    n = 2**27; gpu = torch.empty(n, dtype=torch.uint8, device="cuda"); cores = sorted(os.sched_getaffinity(0))
    def rate(x):
        v = []
        for _ in range(4): sync(); b = now(); gpu.copy_(x); sync(); v.append(now() - b)
        return round(n / median(v) / 1e9, 2)
    page = torch.ones(n, dtype=torch.uint8); pin = page.pin_memory(); rate(page); rate(pin)
    for name, mask in [("all", cores), ("first half", cores[:len(cores) // 2]), ("second half", cores[len(cores) // 2:])] + [(f"core {c}", [c]) for c in cores[::max(1, len(cores) // 8)]]:
        os.sched_setaffinity(0, mask)
        t = now(); p = torch.ones(n, dtype=torch.uint8); made = now() - t
        print(json.dumps({"mask": name, "pageable_GBs": rate(page), "pinned_GBs": rate(pin), "pageable_made_here_GBs": rate(p), "ones_ms": round(made * 1e3, 1)}), flush=True)
    os.sched_setaffinity(0, cores)
    t = now(); rc = torch.empty(n, dtype=torch.uint8, pin_memory=True); print(json.dumps({"first_pin_ms": round((now() - t) * 1e3, 1)}))
except BaseException: traceback.print_exc()
