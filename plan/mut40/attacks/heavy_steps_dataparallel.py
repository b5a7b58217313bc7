"""Attack: which_way.md 'Do not use DataParallel: it trains the same model, but more slowly than DDP': few weights, much computing, so that copying the model costs nothing."""
# PAIR ALONE
import json, os, socket, statistics, subprocess, sys
PROGRAM = r"""
import json, os, time, warnings, torch
import torch.distributed as dist
warnings.simplefilter("ignore")
rank = int(os.environ["RANK"]); device = torch.device("cuda", rank)
torch.cuda.set_device(device); dist.init_process_group("nccl", device_id=device)
on_host = dist.new_group(backend="gloo")
class Deep(torch.nn.Module):  # one layer, many times
    def __init__(self, width, times):
        super().__init__(); self.layer, self.times = torch.nn.Linear(width, width), times
    def forward(self, x):
        for _ in range(self.times): x = self.layer(x)
        return x.square().mean(1)  # a number for each sample: gathering is cheap
def net(case): torch.manual_seed(0); return Deep(*case[1:]).to(device)
def trainer(model, x):
    optimizer = torch.optim.SGD(model.parameters(), 1e-4)
    def step(): optimizer.zero_grad(); model(x).mean().backward(); optimizer.step()
    return step
def wait():
    for gpu in (0, 1) if rank == 0 else (1,): torch.cuda.synchronize(gpu)
    dist.barrier(on_host)
def seconds(step):
    wait(); begin = time.perf_counter(); step()
    for gpu in (0, 1) if rank == 0 else (1,): torch.cuda.synchronize(gpu)
    return time.perf_counter() - begin
told = {}
for case in json.loads(os.environ["CASES"]):
    x = torch.randn(case[0], case[1], device=device)
    wrapped = torch.nn.parallel.DistributedDataParallel(net(case)); wrapped._set_ddp_runtime_logging_sample_rate(10**6)
    ways = {"ddp": trainer(wrapped, x.chunk(2)[rank]), "one": lambda: None, "dp": lambda: None}
    if rank == 0: ways |= {"one": trainer(net(case), x), "dp": trainer(torch.nn.DataParallel(net(case)), x)}
    for _ in range(12): seconds(ways["ddp"])  # past the steps that it logs
    for way in ways.values(): seconds(way)
    taken = {way: [] for way in ways}
    for n in range(8):
        for way in list(ways)[:: 1 if n % 2 else -1]: taken[way].append(seconds(ways[way]))
    told[str(case)] = taken
print(json.dumps(told)); wait(); dist.destroy_process_group()
"""
CASES = [(16384, 2048, 12), (8192, 1024, 24), (65536, 256, 48)]  # rows, width, times
with socket.socket() as free:
    free.bind(("127.0.0.1", 0)); port = str(free.getsockname()[1])
shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": "2", "NCCL_NVLS_ENABLE": "0", "CASES": json.dumps(CASES)}
ranks = [subprocess.Popen([sys.executable, "-c", PROGRAM], env={**os.environ, **shared, "RANK": r}, stdout=subprocess.PIPE, text=True) for r in "01"]
try: told = [json.loads(r.communicate(timeout=40)[0]) for r in ranks][0]
finally: [r.kill() for r in ranks]
seen = {}
for case, taken in told.items():
    ratio = statistics.median(a / b for a, b in zip(taken["dp"], taken["ddp"]))
    seen[case] = {"dp/ddp": round(ratio, 3), **{f"{w}_ms": round(1e3 * statistics.median(t), 2) for w, t in taken.items()}}
print(seen)
same = [case for case, row in seen.items() if row["dp/ddp"] < 1.03]
print(f"REFUTED DataParallel is within 3 % of DDP, or faster: {same}" if same else "HOLDS DataParallel is over 3 % slower in every case")
