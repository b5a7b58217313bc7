"""Sentence: any other error of CUDA ends the capture in the same way (stream, random numbers, cache)."""
import subprocess, sys
BODY = '''
import torch
x = torch.ones(1000, device="cuda"); host = torch.ones(1000)
(x * 2).sum().item(); x.nonzero(); torch.rand(3, device="cuda"); x.cpu()
home = torch.cuda.current_stream(); g = torch.cuda.CUDAGraph()
try:
    with torch.cuda.graph(g):
        y = x * 2
        {work}
    print("no error"); raise SystemExit
except Exception as e: print(type(e).__name__, str(e).splitlines()[0][:60])
strayed = torch.cuda.current_stream() != home
torch.cuda.set_stream(home)
try: torch.rand(3, device="cuda"); rnd = False
except RuntimeError: rnd = True
b = torch.empty(64 << 20, dtype=torch.uint8, device="cuda"); r = torch.cuda.memory_reserved(); del b; torch.cuda.synchronize(); torch.cuda.empty_cache()
print(strayed, rnd, torch.cuda.memory_reserved() == r)
'''
WORKS = {"item": "y.sum().item()", "synchronize": "torch.cuda.synchronize()", "pageable copy": "x.copy_(host)", "to host": "y.cpu()",
    "nonzero": "y.nonzero()", "other stream unjoined": "s = torch.cuda.Stream(); s.wait_stream(torch.cuda.current_stream())\n        with torch.cuda.stream(s): y + 1",
    "empty_cache": "torch.cuda.empty_cache()", "event query": "e = torch.cuda.Event(); e.record(); e.query()"}
procs = {k: subprocess.Popen([sys.executable, "-c", BODY.format(work=w)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for k, w in WORKS.items()}
bad = []
for k, p in procs.items():
    out = p.communicate(timeout=60)[0].strip().splitlines()[-2:]
    print(k, out)
    refused = "Cannot copy" in " ".join(out) or "capturable" in " ".join(out)  # by PyTorch, before CUDA is asked
    if out and "no error" not in out[-1] and not refused and out[-1] != "True True True": bad.append(k)
print("REFUTED" if bad else "HOLDS", bad)
