"""Does this chapter's ground (the GPU cannot reach pageable memory) hold on the builder? Expects integrated 0, pageable access 0 (or 1 through HMM in software), host page tables 0: no coherent link."""
import ctypes, json, traceback
try:
    import torch
    torch.zeros(1, device="cuda"); rt = ctypes.CDLL(f"libcudart.so.{torch.version.cuda.split('.')[0]}")
    names = {"integrated": 18, "can_map_host": 19, "async_engines": 40, "unified_addressing": 41, "host_native_atomic": 86, "pageable_access": 88, "concurrent_managed": 89, "host_pointer_for_registered": 91, "host_register_supported": 99, "pageable_uses_host_page_tables": 100, "direct_managed_from_host": 101}
    out = {}
    for k, a in names.items():
        v = ctypes.c_int(-1); rc = rt.cudaDeviceGetAttribute(ctypes.byref(v), a, 0); out[k] = v.value if rc == 0 else f"rc {rc}"
    print(json.dumps(out)); p = torch.cuda.get_device_properties(0)
    print(json.dumps({k: str(getattr(p, k)) for k in dir(p) if not k.startswith("_")}))
except BaseException: traceback.print_exc()
import subprocess
print(subprocess.run("cat /proc/driver/nvidia/version; modinfo nvidia 2>/dev/null | grep -i license; cat /sys/module/nvidia_uvm/parameters/uvm_disable_hmm 2>/dev/null; nvidia-smi -q | grep -iE 'addressing|hmm|virtualization mode|product arch|Relaxed' ", shell=True, capture_output=True, text=True).stdout)
