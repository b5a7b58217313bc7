"""
DataParallel runs in threads
============================

How does ``DataParallel`` use two GPUs? In one process, with a thread for each GPU, it splits the
batch and copies the model. The gradients are those of one GPU for the whole batch.
"""

# sphinx_gallery_evidence = {"gpus": 2, "expected_warnings": ["Attempting to run cuBLAS"]}
# sphinx_gallery_quiet = "nothing"
import copy
import os
import threading

import torch

gpu, places = torch.device("cuda", 0), set()


class Noted(torch.nn.Linear):
    def forward(self, x):
        places.add((os.getpid(), threading.current_thread().name, str(x.device)))
        return super().forward(x)


torch.manual_seed(0)
x = torch.randn(64, 32, device=gpu)
plain = torch.nn.Sequential(Noted(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1))
model = torch.nn.DataParallel(copy.deepcopy(plain).to(gpu))
model(x).square().mean().backward()
print(*places, sep="\n")

# %%
# The same gradients on one GPU, in FP64 and on the whole batch.

ran = list(places)
exact = copy.deepcopy(plain).to(gpu).double()
exact(x.double()).square().mean().backward()
one, other = (
    torch.cat([p.grad.double().flatten() for p in each.parameters()])
    for each in (model, exact)
)
measured = {
    "gradient_error_share": ((one - other).norm() / other.norm()).item(),
    "processes": len({process for process, _, _ in ran}),
    "threads": len({thread for _, thread, _ in ran}),
    "gpus": len({gpu for _, _, gpu in ran}),
}
print(measured)
