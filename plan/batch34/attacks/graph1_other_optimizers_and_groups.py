"""Claim attacked: capturable=True with a learning rate on the GPU follows it: amsgrad, maximize, several groups, BF16 weights, foreach and not."""
import warnings, torch
warnings.simplefilter("ignore")
O = torch.optim
def gpu(): return torch.tensor(1.0, device="cuda")
bad = []
for name, cls, more in [("Adam amsgrad", O.Adam, {"amsgrad": True}), ("Adam maximize", O.Adam, {"maximize": True}), ("AdamW decay", O.AdamW, {"weight_decay": 0.1}),
                        ("Adam fused amsgrad", O.Adam, {"amsgrad": True, "fused": True}), ("NAdam", O.NAdam, {}), ("RAdam", O.RAdam, {}), ("RMSprop momentum", O.RMSprop, {"momentum": 0.9}), ("Adadelta", O.Adadelta, {}), ("Rprop", O.Rprop, {}), ("ASGD", O.ASGD, {})]:
    for foreach in (True, False):
        if "fused" in more and not foreach: continue
        for dtype in (torch.float32, torch.bfloat16):
            ws = [torch.nn.Parameter(torch.ones(100, device="cuda", dtype=dtype)) for _ in range(2)]
            for w in ws: w.grad = torch.ones_like(w)
            lr = gpu()
            kw = dict(more) if "fused" in more else {**more, "foreach": foreach}
            try:
                o = cls([{"params": ws[:1]}, {"params": ws[1:]}], lr=lr, capturable=True, **kw)
                for _ in range(3): o.step()
                g = torch.cuda.CUDAGraph()
                with torch.cuda.graph(g): o.step()
                for group in o.param_groups: group["lr"].fill_(0)
                before = [w.detach().clone() for w in ws]
                g.replay()
                if not all(torch.equal(a, b) for a, b in zip(before, ws)): bad.append((name, foreach, str(dtype)))
            except Exception as e:
                print(name, foreach, dtype, type(e).__name__, str(e.__context__ or e).splitlines()[0][:100])
                if e.__context__ is not None: raise SystemExit("the process is spoiled")
print("REFUTED: " + str(bad) if bad else "HOLDS")
