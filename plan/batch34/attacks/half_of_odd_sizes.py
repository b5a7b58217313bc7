"""Does each of two ranks keep exactly half where sizes are odd or tiny? Fake group, 1 GPU or CPU."""
import torch, torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.testing._internal.distributed.fake_pg import FakeStore
f = torch.accelerator.current_accelerator(check_available=True); d = torch.device(f.type, 0) if f else torch.device("cpu"); torch.ones(1, device=d)
got = {}
for rank in (0, 1):
    dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=2); mesh = dist.init_device_mesh(d.type, (2,))
    for rows in (2048, 2049, 3, 1):
        m = torch.nn.Linear(8, rows, bias=False, device=d); fully_shard(m, mesh=mesh); got[rows, rank] = m.weight.to_local().numel() / (8 * rows)
    dist.destroy_process_group()
print(got)
print("HOLDS" if all(v == .5 for v in got.values()) else "REFUTED", "'exactly half' (claim each-rank-keeps-half is of eight layers with an even number of rows: say so if refuted)")
