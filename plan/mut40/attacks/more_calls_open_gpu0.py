"""Attack: first_gpu.md 'Call torch.cuda.set_device(local_rank) before anything else uses CUDA' keeps GPU 0 closed: which other calls, none of which names GPU 0, open it after set_device?"""
# PAIR
import ctypes, io, os, signal, subprocess, sys, tempfile, time, warnings
os.environ["NCCL_NVLS_ENABLE"] = "0"  # no multicast over NVLink
from multiprocessing import TimeoutError, get_context
import torch
import torch.distributed as dist
import torch.nn.functional as F
DRY = os.environ.get("DEVICE") == "cpu"
warnings.simplefilter("ignore")
PATH = os.path.join(tempfile.mkdtemp(), "checkpoint.pt")
RANK, STORE = 1, ""
def nccl(device_id=None):  # rank 1 is asked; rank 0 is another process, on the first GPU
    dist.init_process_group("gloo" if DRY else "nccl", store=dist.FileStore(STORE, 2), rank=RANK, world_size=2, device_id=device_id)
def here(): return None if DRY else torch.device("cuda", RANK)
def profiled(x):
    with torch.profiler.profile(): (x + 1).sum().item()
def captured(x):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph): y = x + 1
    graph.replay(); torch.cuda.synchronize()
def forked(x):
    with torch.random.fork_rng(): torch.rand(3, device="cuda")
def checkpointed(x):
    y = x.clone().requires_grad_()
    torch.utils.checkpoint.checkpoint(lambda z: F.dropout(z, 0.5), y, use_reentrant=False).sum().backward()
def gathered(x): nccl(); out = [None] * 2; dist.all_gather_object(out, {"loss": x})
def gathered_on_cpu(x): nccl(); out = [None] * 2; dist.all_gather_object(out, {"loss": 1.0})
def reduced(x): nccl(); dist.all_reduce(x); torch.cuda.synchronize()
def reduced_with_id(x): nccl(here()); dist.all_reduce(x); torch.cuda.synchronize()
def barrier(x): nccl(); dist.barrier()
def barrier_with_id(x): nccl(here()); dist.barrier()
def meshed(x):
    from torch.distributed.device_mesh import init_device_mesh
    nccl(); init_device_mesh("cuda", (2,))
def sharded(x):
    from torch.distributed.fsdp import fully_shard
    nccl(); model = torch.nn.Linear(8, 8, device="cuda"); fully_shard(model)
    model(torch.ones(2, 8, device="cuda")).sum().backward()
def saved(x): data = io.BytesIO(); torch.save(x, data); data.seek(0); torch.load(data)
def scaled(x):
    scaler = torch.amp.GradScaler(); layer = torch.nn.Linear(8, 8, device="cuda"); step = torch.optim.AdamW(layer.parameters(), fused=True)
    with torch.autocast("cuda", torch.float16): loss = layer(torch.ones(2, 8, device="cuda")).sum()
    scaler.scale(loss).backward(); scaler.step(step); scaler.update()
def ipc(x):
    from torch.multiprocessing.reductions import reduce_tensor
    reduce_tensor(x); torch.cuda.ipc_collect()
def history(x):
    torch.cuda.memory._record_memory_history(); y = x + 1; torch.cuda.memory._snapshot()
PAIRED = {
    "NCCL: all_reduce": reduced, "NCCL: all_reduce with device_id": reduced_with_id,
    "NCCL: barrier": barrier, "NCCL: barrier with device_id": barrier_with_id,
    "NCCL: all_gather_object of a GPU tensor": gathered, "NCCL: all_gather_object": gathered_on_cpu,
    "NCCL: init_device_mesh": meshed, "NCCL: fully_shard": sharded,
}
CASES = PAIRED | {
    "control: a tensor on cuda:0": lambda x: torch.ones(3, device="cuda:0"),
    "control: load": lambda x: torch.load(PATH),
    "load, map_location='cuda'": lambda x: torch.load(PATH, map_location="cuda"),
    "load, map_location='cpu'": lambda x: torch.load(PATH, map_location="cpu"),
    "save and load of its own tensor": saved,
    "manual_seed": lambda x: torch.manual_seed(0),
    "manual_seed_all, seed_all": lambda x: (torch.cuda.manual_seed_all(0), torch.cuda.seed_all()),
    "get_rng_state_all": lambda x: torch.cuda.set_rng_state_all(torch.cuda.get_rng_state_all()),
    "fork_rng": forked, "checkpoint": checkpointed, "profiler": profiled, "graph": captured,
    "empty_cache": lambda x: torch.cuda.empty_cache(),
    "memory_summary, reset_peak": lambda x: (torch.cuda.memory_summary(), torch.cuda.reset_peak_memory_stats()),
    "history and snapshot": history,
    "properties of all": lambda x: [torch.cuda.get_device_properties(n) for n in range(torch.cuda.device_count())],
    "can_device_access_peer": lambda x: torch.cuda.can_device_access_peer(1, 0),
    "GradScaler, AdamW": scaled,
    "cuFFT, conv, attention": lambda x: (torch.fft.fft(x), F.conv2d(torch.ones(1, 3, 8, 8, device="cuda"), torch.ones(3, 3, 3, 3, device="cuda")), F.scaled_dot_product_attention(*torch.ones(3, 1, 1, 8, 8, device="cuda"))),
    "solver": lambda x: torch.linalg.eigh(torch.eye(8, device="cuda")),
    "streams and events": lambda x: (torch.cuda.Stream().synchronize(), torch.cuda.Event().record()),
    "copy to pinned memory": lambda x: torch.empty(1000, pin_memory=True).copy_(x, non_blocking=True),
    "share by IPC": ipc,
}
def run(name):
    if not DRY: torch.cuda.set_device(RANK)
    CASES[name](torch.ones(1000, device="cpu" if DRY else "cuda"))
def trial(name):
    global RANK, STORE
    warnings.simplefilter("ignore")
    peer = 0
    if name in PAIRED:
        STORE = tempfile.mkdtemp() + "/store"
        if (peer := os.fork()) == 0:
            RANK = 0
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # it ends with rank 1
            try: run(name); time.sleep(3)  # until rank 1 has asked
            finally: os._exit(0)
    try: run(name)
    except Exception as error: return f"{type(error).__name__}: {error}".splitlines()[0][:110]
    else: return "opened" if getattr(torch._C, "_cuda_hasPrimaryContext", lambda gpu: False)(0) else "closed"
    finally:
        if peer: os.kill(peer, signal.SIGKILL); os.waitpid(peer, 0)
def save():
    torch.save(torch.ones(4, device="cpu" if DRY else "cuda:0"), PATH)
def alone(name):  # in an interpreter of its own: the profiler does not take a fork
    return subprocess.Popen([sys.executable, __file__, name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
if __name__ == "__main__" and sys.argv[1:]:
    print(trial(sys.argv[1]), flush=True); os._exit(0)
if __name__ == "__main__":
    begin = time.perf_counter()
    def left(): return max(1, 24 - time.perf_counter() + begin)
    context = get_context("fork")  # torch is loaded once; CUDA is not used here
    profiling = alone("profiler")
    maker = context.Process(target=save); maker.start(); maker.join()
    pool = context.Pool(10, maxtasksperchild=1)
    asked, seen = {n: pool.apply_async(trial, (n,)) for n in CASES if n != "profiler"}, {}
    for n, answer in asked.items():
        try: seen[n] = answer.get(timeout=left())
        except TimeoutError: seen[n] = "no answer"
    try: seen["profiler"] = (profiling.communicate(timeout=left())[0].splitlines() or ["no answer"])[-1]
    except subprocess.TimeoutExpired: profiling.kill(); seen["profiler"] = "no answer"
    for n, s in seen.items(): print(f"{n}: {s}")
    controls = [s for n, s in seen.items() if n.startswith("control")]
    opened = [n for n, s in seen.items() if s == "opened" and not n.startswith("control")]
    odd = [n for n, s in seen.items() if s not in ("opened", "closed")]
    if controls != ["opened"] * 2: print(f"ERROR the controls say {controls}; errors in {len(odd)}")
    else: print(f"REFUTED opened after set_device: {opened}; errors: {odd}" if opened else f"HOLDS {len(seen) - len(odd)} calls; errors: {odd}")
    sys.stdout.flush()
    for worker in pool._pool: worker.kill()
    os._exit(0)
