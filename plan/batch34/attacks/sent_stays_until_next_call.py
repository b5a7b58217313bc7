"""Does what was sent stay allocated until a thread saw that it arrived AND another collective was called? (bucket views, FSDP's peak). 1 GPU."""
import time, torch, torch.distributed as dist
d = torch.device("cuda", 0); torch.cuda.set_device(d)
dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1, device_id=d)
tick = torch.zeros(1, device=d); dist.all_reduce(tick); torch.cuda.synchronize()
def held():
    return round((torch.cuda.memory_allocated() - begin) / 2**20)
begin = torch.cuda.memory_allocated(); seen = {}
for wait in (False, True):
    x = torch.zeros(2**24, device=d)
    work = dist.all_reduce(x, async_op=True)
    if wait: work.wait()
    del x, work
    torch.cuda.synchronize(); now = held(); time.sleep(1); later = held()
    dist.all_reduce(tick); seen[wait] = (now, later, held())
print("at once, a second later, after another call, by wait():", seen)
ok = seen[False][1] == 64 and seen[False][2] == 0 and seen[True][0] == 0
print("HOLDS" if ok else "REFUTED", "(comment of bucket_views; expected {False: (64, 64, 0), True: (0, 0, 0)})")
