"""Gradients of every operator by switch: matmul, conv, rnn apart. (A2, b)

Columns: error against FP64 (relative to mean magnitude) of each gradient, in full FP32 and with each switch;
bits changed; bits steady (same when repeated). Expect: gradient of theta of affine_grid (2-D, 3-D) follows matmul; grid_sample
none (input gradient unsteady: atomics); conv gradients follow conv; depthwise neither, both layouts.
Refutes the page if the page's table or the accusation of grid_sample says otherwise.
"""
import json
import torch
from torch import nn
F = nn.functional

def say(**k): print(json.dumps(k, default=str), flush=True)
b = torch.backends
torch.manual_seed(0); torch.set_default_device("cuda")
def setp(m="ieee", c="ieee", r="ieee"):
    b.cuda.matmul.fp32_precision, b.cudnn.conv.fp32_precision, b.cudnn.rnn.fp32_precision = m, c, r
R = torch.randn
sq = R(512, 512); img = R(8, 64, 32, 32); vol = R(2, 32, 16, 32, 32); sig = R(8, 64, 1024); seq = R(32, 64, 256)
cl = img.to(memory_format=torch.channels_last)
ids = torch.randint(1000, (512,))
grid = torch.rand(8, 32, 32, 2) * 2 - 1; grid3 = torch.rand(2, 16, 32, 32, 3) * 2 - 1
dw = nn.Conv2d(64, 64, 3, groups=64)
dwcl = nn.Conv2d(64, 64, 3, groups=64).to(memory_format=torch.channels_last)
ops = {
 "matmul": (lambda x: x @ x, [sq], []),
 "bmm": (lambda x: torch.bmm(x, x), [R(8, 256, 256)], []),
 "tensordot": (lambda x: torch.tensordot(x, x, dims=1), [sq], []),
 "Linear": (nn.Linear(512, 512), [sq], 1),
 "AdaptiveLogSoftmax": ((lambda m: (m, lambda x: m(x, ids)[1]))(nn.AdaptiveLogSoftmaxWithLoss(512, 1000, cutoffs=[126, 510])), [sq], 2),
 "cdist512": (lambda x: torch.cdist(x, sq), [R(512, 512)], []),
 "cdist25": (lambda x: torch.cdist(x, sq[:25]), [R(25, 512)], []),
 "LSTMCell": ((lambda m: (m, lambda x: m(x)[0]))(nn.LSTMCell(256, 256)), [R(64, 256)], 2),
 "RNN": ((lambda m: (m, lambda x: m(x)[0]))(nn.RNN(256, 256)), [seq], 2),
 "LSTM": ((lambda m: (m, lambda x: m(x)[0]))(nn.LSTM(256, 256)), [seq], 2),
 "GRU": ((lambda m: (m, lambda x: m(x)[0]))(nn.GRU(256, 256)), [seq], 2),
 "Conv1d": (nn.Conv1d(64, 64, 3), [sig], 1),
 "Conv2d": (nn.Conv2d(64, 64, 3), [img], 1),
 "Conv2d channels_last": (nn.Conv2d(64, 64, 3).to(memory_format=torch.channels_last), [cl], 1),
 "Conv3d": (nn.Conv3d(32, 32, 3), [vol], 1),
 "ConvT1d": (nn.ConvTranspose1d(64, 64, 3), [sig], 1),
 "ConvT2d": (nn.ConvTranspose2d(64, 64, 3), [img], 1),
 "ConvT3d": (nn.ConvTranspose3d(32, 32, 3), [vol], 1),
 "grouped Conv2d 4": (nn.Conv2d(64, 64, 3, groups=4), [img], 1),
 "depthwise Conv2d": (dw, [img], 1),
 "depthwise channels_last": (dwcl, [cl], 1),
 "depthwise 3x mult": (nn.Conv2d(64, 192, 3, groups=64), [img], 1),
 "affine_grid 2d": (lambda t: F.affine_grid(t, (8, 1, 64, 64), False), [R(8, 2, 3)], []),
 "affine_grid 3d": (lambda t: F.affine_grid(t, (2, 1, 16, 32, 32), False), [R(2, 3, 4)], []),
 "grid_sample": (lambda x, g: F.grid_sample(x, g, align_corners=False), [img, grid], []),
 "grid_sample cudnn": (lambda x, g: F.grid_sample(x, g, align_corners=True), [img, grid], []),
 "grid_sample 3d": (lambda x, g: F.grid_sample(x, g, align_corners=False), [vol, grid3], []),
 "bilinear": (nn.Bilinear(64, 64, 64), [R(128, 64), R(128, 64)], 1),
 "einsum": (lambda x: torch.einsum("ij,jk->ik", x, x), [sq], []),
 "mv": (lambda x: x @ x[0], [sq], []),
}
def run(op, tensors, params, wide=False, back=None):
    xs = [(t.double() if wide else t).detach().clone(memory_format=torch.preserve_format).requires_grad_() for t in tensors]
    out = op(*xs)
    out = out[0] if isinstance(out, tuple) else out
    torch.manual_seed(1)
    up = torch.randn(out.shape, dtype=torch.float32).to(out.dtype)
    if back: setp(**{back: "tf32"})
    gs = torch.autograd.grad(out, xs + params, up, allow_unused=True)
    return [out.detach()] + [g for g in gs if g is not None]
for name, (op, tensors, kind) in ops.items():
    try:
        module = op if kind == 1 else op[0] if kind == 2 else None
        call = op[1] if kind == 2 else op
        params = list(module.parameters()) if module is not None else []
        if name.startswith(("cdist",)): call64 = lambda x, n=name: torch.cdist(x, (sq if "512" in n else sq[:25]).double())
        else: call64 = call
        setp(); full = run(call, tensors, params); again = run(call, tensors, params)
        changed = {}
        for which in ("m", "c", "r"):
            setp(**{which: "tf32"}); changed[which] = run(call, tensors, params)
        setp()
        alone = {}
        for which in ("m", "c", "r"):
            try: alone[which] = run(call, tensors, params, back=which)
            except Exception as e: say(op=name, back_alone=which, error=str(e)[:150])
            setp()
        truth = None
        try:
            if module is not None: module.double()
            if kind == 2 and "Ada" in name: pass
            truth = run(call64, tensors, list(module.parameters()) if module is not None else [], wide=True)
        except Exception as e:
            say(op=name, truth=str(e)[:100])
        names = ["out"] + [f"g{i}" for i in range(len(full) - 1)]
        for i, n in enumerate(names):
            row = {"op": name, "what": n, "shape": list(full[i].shape), "steady": torch.equal(full[i], again[i])}
            for w in changed: row[w] = not torch.equal(full[i], changed[w][i])
            for w in alone: row["back_" + w] = not torch.equal(full[i], alone[w][i])
            if not row["steady"]: row["noise"] = (full[i] - again[i]).abs().max().item(); row["switched"] = {w: (full[i] - changed[w][i]).abs().max().item() for w in changed}
            if truth is not None:
                t = truth[i].double(); s = t.abs().mean().item() or 1
                row["err"] = float(f"{(full[i].double()-t).abs().max().item()/s:.2g}")
                for w in changed: row["err_" + w] = float(f"{(changed[w][i].double()-t).abs().max().item()/s:.2g}")
            say(**row)
    except Exception as e:
        say(op=name, error=type(e).__name__ + ": " + str(e)[:200])
