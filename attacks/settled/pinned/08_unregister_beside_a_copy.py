"""Does cudaHostUnregister wait for a copy that is on its way from the tensor ('which was not tried')? Expects: behind a sleep of 20 ms, a non-blocking copy from registered
memory is complete, and right, when unregister returns; then the tensor can be overwritten and freed. Refuted: early return or wrong bytes. Also: writing right after."""
import json, time, traceback
try:
    import torch
    rt = torch.cuda.cudart(); n = 2**24; x = torch.ones(n, dtype=torch.uint8); gpu = torch.zeros(n, dtype=torch.uint8, device="cuda"); side = torch.cuda.Stream()
    torch.cuda._sleep(1000); torch.cuda.synchronize()
    for st in (torch.cuda.default_stream(), side):
        res = []
        for k in range(10):
            x.fill_(1); gpu.zero_(); torch.cuda.synchronize()
            torch.cuda.check_error(rt.cudaHostRegister(x.data_ptr(), n, 0))
            with torch.cuda.stream(st):
                torch.cuda._sleep(30_000_000); gpu.copy_(x, non_blocking=True); e = torch.cuda.Event(); e.record()
            early = not e.query(); b = time.perf_counter(); code = rt.cudaHostUnregister(x.data_ptr()); took = time.perf_counter() - b
            done = e.query(); x.fill_(2); torch.cuda.synchronize()
            res.append((early, int(code), done, bool((gpu == 1).all()), round(took * 1e3, 1)))
        print(json.dumps({"stream": "default" if st != side else "side", "early_done_right_ms": res}), flush=True)
except BaseException: traceback.print_exc()
