"""Is DDP's third-step peak 128 MiB higher without pauses, because the first bucket is still held? 1 GPU, about 4 s."""
import gc, time, torch, torch.distributed as dist, warnings; warnings.simplefilter("ignore")
d = torch.device("cuda", 0); torch.cuda.set_device(d)
dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1, device_id=d)
tick = torch.zeros(1, device=d)
def peak(pause):
    gc.collect(); torch.cuda.synchronize(); time.sleep(.3); dist.all_reduce(tick); begin = torch.cuda.memory_allocated()
    net = torch.nn.Sequential(*(torch.nn.Linear(2048, 2048, bias=False, device=d) for _ in range(8)))
    m = torch.nn.parallel.DistributedDataParallel(net); o = torch.optim.Adam(m.parameters()); x = torch.randn(16, 2048, device=d); out = []
    for _ in range(4):
        if pause: torch.cuda.synchronize(); time.sleep(.3)
        torch.cuda.reset_peak_memory_stats(); o.zero_grad(); m(x).square().mean().backward(); o.step()
        out.append(round((torch.cuda.max_memory_allocated() - begin) / 2**20))
    return out
peak(True); got = {p: peak(p) for p in (False, True, False, True)}
print("peaks of four steps in MiB, by pause:", got)
print("HOLDS" if abs(got[True][2] - 768) < 20 else "REFUTED", "(expected 768 in the third with a pause; without, 896 if the first bucket is what was held)")
