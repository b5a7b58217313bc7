"""Does max-autotune fail after the new switch, and which other forms work? (A1)

Expect: new switch "tf32" -> InductorError under max-autotune, fine in default mode; "high" and
allow_tf32 compile. Refuted if the new switch compiles, or "high" does not.
Also: importing torch.utils.benchmark.utils.compile, and the time of each compile.
"""
import json, os, tempfile, time, warnings
os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
import torch

def say(**k): print(json.dumps(k, default=str), flush=True)
b = torch.backends
torch.manual_seed(0)
a = torch.randn(256, 256, device="cuda"); ad = a.double() @ a.double()
ieee = a @ a
# as the site's measuring does it: code compiled from a string, in a module of its own, warnings recorded
import types, sys
main = types.ModuleType("__main__"); sys.modules["__main__"] = main
exec(compile("def f(x): return x @ x", "some_example.py", "exec"), main.__dict__)
f = main.f
def go(label, mode):
    torch._dynamo.reset()
    t = time.perf_counter()
    with warnings.catch_warnings(record=True) as seen:
      warnings.simplefilter("always")
      try:
        out = torch.compile(f, mode=mode)(a).clone()
        say(test=label, mode=mode, ok=True, s=round(time.perf_counter()-t, 2), error=(out.double()-ad).abs().max().item(), eager=(a@a-ad).abs().max().item(), same_as_eager=torch.equal(out, a@a))
      except Exception as e:
        say(test=label, mode=mode, ok=False, s=round(time.perf_counter()-t, 2), type=type(e).__name__, module=type(e).__module__, mro=[c.__name__ for c in type(e).__mro__], text=str(e)[:600], tail=str(e)[-300:], length=len(str(e)), cause=repr(e.__cause__)[:200])
    say(warnings=[f"{w.category.__name__}: {str(w.message)[:120]} @ {w.filename[-60:]}:{w.lineno}" for w in seen][:20])
b.cuda.matmul.fp32_precision = "tf32"
go("new tf32", "default")
go("new tf32", "max-autotune")
go("new tf32", "max-autotune-no-cudagraphs")
go("new tf32", "reduce-overhead")
try:
    import torch.utils.benchmark.utils.compile
    say(test="import benchmark compile", ok=True)
except Exception as e:
    say(test="import benchmark compile", ok=False, text=str(e)[:200])
b.cuda.matmul.fp32_precision = "none"
torch.set_float32_matmul_precision("high")
go("high", "max-autotune")
go("high", "default")
