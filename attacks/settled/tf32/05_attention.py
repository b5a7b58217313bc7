"""Backends of scaled_dot_product_attention in FP32, forward and backward, with and without a mask. (A2, c)

Expect: math follows matmul, forward and backward; efficient does not; flash and cuDNN refuse FP32. Default = efficient;
what does the default take with head_dim 63, with a bool mask, with dropout, and inside MultiheadAttention?
"""
import json
import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
F = nn.functional

def say(**k): print(json.dumps(k, default=str), flush=True)
b = torch.backends
torch.manual_seed(0); torch.set_default_device("cuda")
def setp(m="ieee", c="ieee"):
    b.cuda.matmul.fp32_precision, b.cudnn.conv.fp32_precision, b.cudnn.rnn.fp32_precision = m, c, c
def attempt(label, fn, ctx):
    try:
        def go():
            with ctx() if ctx else torch.enable_grad():
                return fn()
        setp(); one, two = go(), go()
        setp(m="tf32"); m = go()
        setp(c="tf32"); c = go()
        setp()
        say(test=label, steady=[torch.equal(x, y) for x, y in zip(one, two)], matmul=[not torch.equal(x, y) for x, y in zip(one, m)], cudnn=[not torch.equal(x, y) for x, y in zip(one, c)], size=[float((x-y).abs().max()) for x, y in zip(one, m)])
    except Exception as e:
        say(test=label, error=type(e).__name__ + ": " + str(e)[:160])
def attention(dim=64, mask=None):
    q, k, v = (torch.randn(2, 8, 256, dim) for _ in range(3)); up = torch.randn(2, 8, 256, dim)
    def fn():
        xs = [t.detach().clone().requires_grad_() for t in (q, k, v)]
        out = F.scaled_dot_product_attention(*xs, attn_mask=mask)
        return [out.detach(), *torch.autograd.grad(out, xs, up)]
    return fn
for backend in (SDPBackend.MATH, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION):
    attempt(backend.name, attention(), lambda backend=backend: sdpa_kernel(backend))
attempt("default", attention(), None)
attempt("default dim 63", attention(63), None)
attempt("default dim 512", attention(512), None)
attempt("default mask", attention(64, torch.rand(256, 256) > 0.3), None)
mha = nn.MultiheadAttention(256, 8, batch_first=True); x = torch.randn(8, 64, 256)
attempt("MultiheadAttention", lambda: [mha(x, x, x, need_weights=False)[0].detach()], None)
