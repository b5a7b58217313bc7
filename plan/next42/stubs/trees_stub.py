"""A rough stand-in for CUDAGraph trees on the CPU, loaded by sitecustomize if STUB_TREES is set."""
import torch
import torch._dynamo
from torch._dynamo.backends.common import aot_autograd
real, state = torch.compile, {"manager": False}
def capture():
    torch.cuda.graph.__enter__(torch.cuda.graph(torch.cuda.CUDAGraph())); 
    import sitecustomize
    sitecustomize.S.capturing = None
def wrap(gm, example_inputs):
    cache = {}
    def run(*args):
        args = args[0] if len(args) == 1 and isinstance(args[0], list) else list(args)
        if not state["manager"]:
            state["manager"] = True
            capture()
        key = tuple(a for a in args if isinstance(a, int))
        known = cache.get(key)
        if known is None: cache[key] = set()
        else:
            ptrs = tuple(a.data_ptr() for a in args if isinstance(a, torch.Tensor) and a.shape[:1] == (64,))
            if ptrs not in known: known.add(ptrs); capture()
        return gm(*args)
    from functorch.compile import make_boxed_func
    return make_boxed_func(run)
backend = aot_autograd(fw_compiler=wrap)
torch.compile = lambda f, mode=None, **k: real(f, backend=backend, **k)
r = torch.compiler.reset
def reset(): r(); state["manager"] = False
torch.compiler.reset = reset
