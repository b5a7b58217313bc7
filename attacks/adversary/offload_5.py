"""offload.md, line 172.
Sentence: It gives no gradients to a part whose input requires none, as a batch does not, so the first two layers run without it.
Attack: Reentrant checkpoint of the first part with a batch that needs no gradient: do its parameters get gradients? Also with a module argument passed as tensor input.
Expect: Not refuted.
Refuted if: parameters of the first part get a gradient though no input requires one
"""
import json, time
import torch

SENTENCE = 'It gives no gradients to a part whose input requires none, as a batch does not, so the first two layers run without it.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

import warnings
from torch.utils.checkpoint import checkpoint


def main():
    warnings.simplefilter("ignore")
    net = torch.nn.Sequential(*(torch.nn.Linear(64, 64) for _ in range(4))).cuda()
    batch = torch.rand(32, 64, device="cuda")
    out = checkpoint(net[:2], batch, use_reentrant=True)
    out = checkpoint(net[2:], out, use_reentrant=True)
    try:
        out.sum().backward()
        error = None
    except RuntimeError as caught:
        error = str(caught)[:80]
    first = [p.grad is not None for p in net[:2].parameters()]
    last = [p.grad is not None for p in net[2:].parameters()]
    return any(first), {"first_part_grads": first, "last_part_grads": last, "error": error}


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
