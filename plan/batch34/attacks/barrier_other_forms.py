"""Which forms of barrier and of object collectives hold the host? 1 GPU."""
import torch, torch.distributed as dist
d = torch.device("cuda", 0); torch.cuda.set_device(d)
dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1, device_id=d)
F = {"barrier": lambda: dist.barrier(), "barrier, device_ids": lambda: dist.barrier(device_ids=[0]), "barrier, async": lambda: dist.barrier(async_op=True),
     "barrier, async, wait": lambda: dist.barrier(async_op=True).wait(), "gather_object": lambda: dist.gather_object(1, [None], 0),
     "scatter_object_list": lambda: dist.scatter_object_list([None], [1], 0), "reduce_scatter": lambda: dist.reduce_scatter_tensor(y, x), "gather": lambda: dist.gather(x, [y], 0), "coalesced": None}
x, y = torch.ones(1024, device=d), torch.ones(1024, device=d)
def coalesced():
    with dist._coalescing_manager(device=d): dist.all_reduce(x); dist.all_reduce(y)
F["coalesced"] = coalesced; held = {}
for n, c in F.items():
    c(); torch.cuda.synchronize(); torch.cuda._sleep(100_000_000); e = torch.cuda.current_stream().record_event()
    try: c()
    except Exception as error: held[n] = repr(error)[:60]; torch.cuda.synchronize(); continue
    held[n] = e.query(); torch.cuda.synchronize()
print(held)
bad = [n for n in ("barrier", "barrier, device_ids", "gather_object") if held[n] is not True] + [n for n in ("reduce_scatter", "gather", "coalesced") if held[n] is not False]
print("REFUTED" if bad else "HOLDS", bad)
