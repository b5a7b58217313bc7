"""Attacks on visible_devices.md and with_and_without.md, one or two GPUs: new interpreters, no fork."""
import os, subprocess, sys, json
HIDE = """
import os; os.environ['CUDA_VISIBLE_DEVICES'] = ''
try: torch.ones(1, device='cuda'); print('FROZEN')
except RuntimeError as e: print('free')
"""
CALLS = {
"nothing": ("free", ""), "is_initialized": ("free", "torch.cuda.is_initialized()"), "device_count": ("free", "torch.cuda.device_count()"), "accelerator_count": ("free", "torch.accelerator.device_count()"),
"current_accelerator": ("free", "torch.accelerator.current_accelerator()"), "is_built": ("free", "torch.backends.cuda.is_built()"), "manual_seed": ("free", "torch.manual_seed(0)"), "memory": ("free", "torch.cuda.memory_allocated()"), "empty_cache": ("free", "torch.cuda.empty_cache()"),
"default": ("free", "torch.set_default_device('cuda')"), "available": ("FROZEN", "torch.cuda.is_available()"), "acc_available": ("FROZEN", "torch.accelerator.is_available()"), "bf16": ("FROZEN", "torch.cuda.is_bf16_supported()"), "scaler": ("FROZEN", "torch.amp.GradScaler('cuda')"),
"backward": ("FROZEN", "torch.ones(1, requires_grad=True).sum().backward()"), "backward single thread": ("FROZEN", "torch.autograd.set_multithreading_enabled(False); torch.ones(1, requires_grad=True).sum().backward()"), "grad": ("FROZEN", "v = torch.ones(1, requires_grad=True); torch.autograd.grad(v.sum(), v)"),
"func.grad": ("FROZEN", "torch.func.grad(lambda v: v.sum())(torch.ones(1))"), "forward ad only": ("free", "torch.func.jvp(torch.sin, (torch.ones(1),), (torch.ones(1),))"), "pin_memory": ("FROZEN", "torch.ones(1).pin_memory()"),
"import distributed": ("free", "import torch.distributed"), "import inductor": ("free", "import torch._inductor.compile_fx"), "import triton": ("free", "import triton, triton.language"), "import dynamo": ("free", "import torch._dynamo"), "import autocast": ("free", "import torch.amp, torch.utils.data"),
"optimizer": ("free", "torch.optim.Adam([torch.nn.Parameter(torch.ones(1))])"), "optimizer step": ("free", "p = torch.nn.Parameter(torch.ones(1)); p.grad = torch.ones(1); torch.optim.Adam([p]).step()"), "cpu matmul": ("free", "torch.ones(4, 4) @ torch.ones(4, 4)"), "loader": ("free", "list(torch.utils.data.DataLoader([0]))"), "properties string": ("free", "torch.version.cuda, torch.cuda.get_arch_list"), "arch list": ("?", "torch.cuda.get_arch_list()"), "jit cpu": ("free", "torch.compile"), "profiler": ("?", "torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]).__enter__()"), "peer": ("FROZEN", "torch.cuda.can_device_access_peer"), "nccl version": ("?", "torch.cuda.nccl.version()"), "load map cpu": ("free", "import io; b = io.BytesIO(); torch.save(torch.ones(1), b); b.seek(0); torch.load(b)")}
CALLS.pop("peer")
env = dict(os.environ); env.pop("PYTORCH_NVML_BASED_CUDA_CHECK", None)
def start(code, **v): return subprocess.Popen([sys.executable, "-W", "ignore", "-c", code], env=env | v, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
running = {n: start("import torch\n" + c + HIDE) for n, (_, c) in CALLS.items()}
for n, (want, c) in CALLS.items():
    got = running[n].communicate()[0].strip().splitlines()[-1:]
    print("held" if got == [want] else f"REFUTED (expected {want})" if want != "?" else "found", n, got)
p = start("import torch, os; print(torch.cuda.is_available()); os.environ.pop('CUDA_VISIBLE_DEVICES'); print(torch.cuda.device_count())\ntry: print(torch.ones(1, device='cuda'))\nexcept Exception as e: print(type(e).__name__, str(e)[:60])", CUDA_VISIBLE_DEVICES="")
print("hidden, asked, revealed:", p.communicate()[0].split("\n"))
SHOW = "import torch; a = torch.cuda.device_count()\ntry: torch.cuda.init(); b = torch.cuda.device_count()\nexcept Exception as e: b = 0\nprint(a, b)"
running = {v: start(SHOW, CUDA_VISIBLE_DEVICES=v) for v in ("0,-1,1", "0, 1", "1,0,1", "0,gpu1", "0,,1", "0;1", "0 1", "all", "NoDevFiles", "0,1,", "+1", "01", "1.0", "0x1")}
for v, p in running.items(): print("value", repr(v), "count before and after init:", p.communicate()[0].strip())
ASK = "import torch, warnings; warnings.simplefilter('error'); print([str(f()) for f in (torch.accelerator.is_available, torch.accelerator.device_count, torch.accelerator.current_accelerator, lambda: torch.accelerator.current_accelerator(True), torch.cuda.is_available, torch.cuda.device_count)])"
running = {v: start(ASK, CUDA_VISIBLE_DEVICES=v) for v in ("", "-1", "99", "x")}
for v, p in running.items(): print("asking with", repr(v), p.communicate()[0].strip()[-300:])
AGN = """
import torch, warnings
warnings.simplefilter("ignore")
device = torch.accelerator.current_accelerator(True) or torch.device("cpu")
net = torch.nn.Linear(4, 1).to(device); opt = torch.optim.SGD(net.parameters(), 0.1)
g = torch.Generator(device); data = torch.rand(8, 4, generator=g, device=device).cpu()
s = torch.amp.GradScaler(device.type); loader = torch.utils.data.DataLoader(data, batch_size=4, num_workers=2, pin_memory=device.type != "cpu", shuffle=True)
for x in loader:
    with torch.autocast(device.type, torch.float16 if device.type != "cpu" else torch.bfloat16): l = net(x.to(device)).mean()
    s.scale(l).backward(); s.step(opt); s.update(); opt.zero_grad()
import io; b = io.BytesIO(); torch.save(net.state_dict(), b); b.seek(0); torch.load(b, map_location="cpu")
print("ran on", device)
with torch.autocast("cuda", torch.bfloat16): l = torch.nn.Linear(4, 1)(torch.ones(2, 4)); print("autocast cuda:", l.dtype)
n = torch.nn.Linear(4, 1); o = torch.optim.SGD(n.parameters(), 0.1); s = torch.amp.GradScaler("cuda"); s.scale(n(torch.ones(2, 4)).mean()).backward(); s.step(o); s.update(); print("scaler cuda on CPU tensors ran, enabled:", s.is_enabled())
"""
for v in (None, ""):
    print("agnostic, hidden:", v == "", start(AGN, **({} if v is None else {"CUDA_VISIBLE_DEVICES": v})).communicate()[0].strip()[-400:].split("\n"))
import torch
if torch.cuda.is_available():
    p = torch.ones(4, 6).pin_memory(); q = torch.ones(24).pin_memory(); del q
    for n, f in {"empty_like": torch.empty_like, "memory_format": lambda x: torch.empty_like(x, memory_format=torch.contiguous_format), "to half": lambda x: x.to(torch.float16), "contiguous of transposed": lambda x: x.T.contiguous(), "view": lambda x: x.view(-1), "slice": lambda x: x[1:], "empty_strided": lambda x: x.new_empty_strided((4, 6), (6, 1)), "detach": lambda x: x.detach()}.items(): print("pinned from", n, f(p).is_pinned())
