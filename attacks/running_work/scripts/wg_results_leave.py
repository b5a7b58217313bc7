"""docs/devices/which_gpu.md: "The result of an operation stays with its inputs, whatever these two settings are."
Attack: inputs on cuda:0, second GPU current and default: functions of tensors other than as_tensor (the page excepts that one):
asarray, tensor, sparse constructors, clip_grad_norm_, optimizer state, indexing, distributions.
Refuted if a result of one of them is not on cuda:0 (or the function fails)."""
import warnings

import torch
import torch.nn.functional as F
from torch.utils._pytree import tree_flatten

warnings.simplefilter("ignore")
assert torch.cuda.device_count() >= 2
x = torch.rand(4, 5, device="cuda:0")
i = torch.arange(4, device="cuda:0")
crow, col = torch.tensor([0, 1, 2], device="cuda:0"), torch.tensor([0, 1], device="cuda:0")
idle = torch.nn.Parameter(torch.ones(2, device="cuda:0"))
used = torch.nn.Parameter(torch.ones(2, device="cuda:0"))
used.grad = torch.ones(2, device="cuda:0")


def adam(**options):
    optimizer = torch.optim.Adam([used], **options)
    optimizer.step()
    return {k: v for k, v in optimizer.state[used].items() if k != "step"}


CASES = {
    "asarray(x)": lambda: torch.asarray(x),
    "tensor(x)": lambda: torch.tensor(x),
    "sparse_coo_tensor(i, x)": lambda: torch.sparse_coo_tensor(i[None], x[:, 0]),
    "sparse_csr_tensor(crow, col, x)": lambda: torch.sparse_csr_tensor(crow, col, x[0, :2], (2, 2)),
    "clip_grad_norm_, no gradients": lambda: torch.nn.utils.clip_grad_norm_([idle], 1.0),
    "clip_grad_norm_": lambda: torch.nn.utils.clip_grad_norm_([used], 1.0),
    "adam": lambda: adam(),
    "adam fused": lambda: adam(fused=True),
    "x[[0, 1]]": lambda: x[[0, 1]],
    "where(x > 0, 1., 0.)": lambda: torch.where(x > 0, 1.0, 0.0),
    "isin(x, .5)": lambda: torch.isin(x, 0.5),
    "searchsorted": lambda: torch.searchsorted(x[0].sort()[0], 0.5),
    "Uniform(x, 2).sample()": lambda: torch.distributions.Uniform(x, 2.0).sample(),
    "gumbel_softmax": lambda: F.gumbel_softmax(x),
    "one_hot": lambda: F.one_hot(i),
    "pad_sequence": lambda: torch.nn.utils.rnn.pad_sequence([x, x]),
    "gradient": lambda: torch.gradient(x),
    "stft": lambda: torch.stft(x.flatten().repeat(20), 64, return_complex=True),
    "unravel_index": lambda: torch.unravel_index(i, (2, 2)),
}
away = {}
for name, call in CASES.items():
    try:
        with torch.device("cuda:1"), torch.cuda.device(1):
            out = call()
        places = sorted({str(t.device) for t in tree_flatten(out)[0] if isinstance(t, torch.Tensor)})
    except Exception as error:
        places = [f"{type(error).__name__}: {str(error)[:90]}"]
    print(f"{name:35} {places}")
    if places != ["cuda:0"]:
        away[name] = places
if away:
    print(f"REFUTED: results that leave their inputs on cuda:0: {away}")
else:
    print(f"NOT REFUTED: {len(CASES)} functions of tensors on cuda:0, all results there")
