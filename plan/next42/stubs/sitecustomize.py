"""Stand-ins for CUDA graphs on the CPU, for dry runs only: a graph that is freed during a capture ends it."""
import gc, os, sys, threading
import torch, warnings

class State: capturing = None; bad = False; eager = False; mode = "global"; thread = None
S = State

class Handle:
    def __init__(self): self.exec = True
    def __del__(self):
        if S.capturing is not None and S.mode != "relaxed" and (S.mode == "global" or S.thread == threading.get_ident()):
            S.bad = True
            sys.__stderr__.write("Warning: CUDA warning: operation not permitted when stream is capturing (function reset)\n")
            sys.__stderr__.flush()

class CUDAGraph:
    def __init__(self): self.h = None; self.ops = []
    def replay(self): pass
    def pool(self): return (0, 1)
class Graph:
    def __init__(self, g, pool=None, stream=None, capture_error_mode="global"): self.g, self.m = g, capture_error_mode
    def __enter__(self):
        if torch.compiler.config.force_cudagraph_gc or os.environ.get("TORCH_CUDAGRAPH_GC") == "1": gc.collect()
        S.capturing, S.bad, S.mode, S.thread = self.g, False, self.m, threading.get_ident()
    def __exit__(self, *a):
        S.capturing = None
        if S.bad: raise RuntimeError("CUDA error: operation failed due to a previous error during capture\nmore")
        self.g.h = Handle()
c = torch.cuda
c.CUDAGraph, c.graph = CUDAGraph, Graph
import torch.cuda.graphs as G
G.CUDAGraph, G.graph, G.graph_pool_handle = CUDAGraph, Graph, lambda: (0, 1)
class Stream:
    def __enter__(self): return self
    def __exit__(self, *a): pass
    def wait_stream(self, o): pass
c.Stream = Stream; c.stream = lambda s: s
c.synchronize = lambda *a: None
c.is_current_stream_capturing = lambda: S.capturing is not None
for n in "ones zeros empty randn tensor rand".split():
    def wrap(f):
        def g(*a, **k):
            if str(k.get("device", "cuda")).startswith("cuda"): k.pop("device", None)
            return f(*a, **k)
        return g
    setattr(torch, n, wrap(getattr(torch, n)))
torch.nn.Module.cuda = lambda self, *a: self
torch.Tensor.cuda = lambda self, *a: self
if os.environ.get("STUB_DIST"):
    import dist_stub
if os.environ.get("STUB_TREES"):
    import trees_stub
