"""offload.md, line 115.
Sentence: In the first step every tensor goes to memory that is new to the process, later only some do.
Attack: Activations of 40 MiB, above glibc's largest threshold for reuse (32 MiB): page faults of each forward pass under save_on_cpu().
Expect: Refuted for such sizes: later steps touch new pages for (nearly) everything as well.
Refuted if: in every later step the minor faults cover at least 90 % of the saved bytes
"""
import json, time
import torch

SENTENCE = 'In the first step every tensor goes to memory that is new to the process, later only some do.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

import resource
from torch.autograd.graph import save_on_cpu, saved_tensors_hooks


def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def main():
    width, batch_size = 512, 20480
    pairs = [(torch.nn.Linear(width, width), torch.nn.ReLU()) for _ in range(4)]
    net = torch.nn.Sequential(*(m for p in pairs for m in p)).cuda()
    batch = torch.rand(batch_size, width, device="cuda")
    saved = []
    with saved_tensors_hooks(lambda t: (saved.append(t.nbytes), t)[1], lambda t: t):
        net(batch).square().mean()
    total = sum(saved)
    net(batch).sum().backward()
    shares = []
    for _ in range(5):
        net.zero_grad(set_to_none=False)
        before = faults()
        with save_on_cpu():
            loss = net(batch).square().mean()
        shares.append(round((faults() - before) * 4096 / total, 3))
        loss.backward()
        torch.cuda.synchronize()
    numbers = {"saved_MiB": total >> 20, "share_new_pages_by_step": shares}
    return min(shares[1:]) >= 0.9, numbers


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
