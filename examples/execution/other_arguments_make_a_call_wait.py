"""
Other arguments make a call wait
================================

Does a call that returned at once always return at once? Not with every argument: with some,
PyTorch reads a value or counts elements after all. Each line here runs behind a kernel that holds
the stream, next to a line of the same kind that does not wait.
"""

# sphinx_gallery_evidence = {"processes": 1}
import warnings
from functools import partial

import torch
from torch import distributions, nn

warnings.simplefilter("ignore")  # about the debug mode, and about anomaly detection
torch.manual_seed(0)
on = {"device": "cuda"}
x, one, eye = torch.rand(8, 8, **on), torch.ones(8, 8, **on), torch.eye(8, **on)
freely = {"validate_args": False}

# %%
# Distributions that draw until each number is accepted, or until each matrix is regular, beside one
# that draws once. Of two, the making is a line of its own.

mises = distributions.VonMises(x, one, **freely)
wishart = distributions.Wishart(x.sum() + 20, covariance_matrix=eye, **freely)
many = distributions.MultivariateNormal(x[0], covariance_matrix=eye, **freely)
CALLS = """
normal: distributions.Normal(x, one, **freely).rsample()
von-mises: mises.sample() | wishart: wishart.sample() | wishart-gradient: wishart.rsample()
multivariate: many.rsample()
multivariate-made: distributions.MultivariateNormal(x[0], covariance_matrix=eye, **freely)
multivariate-factored: distributions.MultivariateNormal(x[0], scale_tril=eye, **freely)
"""

# %%
# A loss and a model. PyTorch looks whether a mask is causal, unless you tell it.

logits, target = torch.randn(16, 8, **on), torch.arange(16, **on) % 8
words, weight = torch.randn(8, 2, 16, **on), torch.ones(8, **on)
causal = nn.Transformer.generate_square_subsequent_mask(8, **on)
layers = nn.TransformerEncoderLayer(16, 2, 32), nn.TransformerDecoderLayer(16, 2, 32)
encoder = nn.TransformerEncoder(layers[0], 1, enable_nested_tensor=False).cuda()
decoder = nn.TransformerDecoder(layers[1], 1).cuda()
entropy = partial(nn.functional.cross_entropy, logits, target)
CALLS += """
loss: entropy() | loss-weighted: entropy(weight=weight)
loss-smoothed: entropy(label_smoothing=0.1)
loss-both: entropy(weight=weight, label_smoothing=0.1)
loss-both-sum: entropy(weight=weight, label_smoothing=0.1, reduction="sum")
encoder: encoder(words) | encoder-causal: encoder(words, mask=causal)
encoder-told: encoder(words, mask=causal, is_causal=True)
decoder-causal: decoder(words, words, tgt_mask=causal)
decoder-told: decoder(words, words, tgt_mask=causal, tgt_is_causal=True)
"""

# %%
# Backward passes, inverses, comparisons, and an index on the host.

inputs = one.clone().requires_grad_()
product, total = inputs.prod(-1).sum(), inputs.exp().sum()
small, large = (torch.eye(n, **on).expand(m, n, n) * 2 for n, m in ((32, 64), (130, 3)))
flat, pair = torch.tensor(2), torch.tensor([0, 2])
CALLS += """
backward: total.backward(retain_graph=True)
backward-product: product.backward(retain_graph=True)
anomaly: with torch.autograd.detect_anomaly(): total.backward(retain_graph=True)
unchecked: with torch.autograd.detect_anomaly(check_nan=False): total.backward(retain_graph=True)
inverse: torch.linalg.inv_ex(eye) | inverse-many: torch.linalg.inv_ex(small)
inverse-large: torch.linalg.inv_ex(large) | cholesky-many: torch.linalg.cholesky_ex(small)
cholesky-large: torch.linalg.cholesky_ex(large)
equal: torch.equal(x, one) | equal-itself: torch.equal(x, x)
index-host: x[pair] | index-host-number: x[flat]
"""

# %%
# A line that waits returns after the sleeping kernel that holds the stream (its function is private
# to PyTorch and may change). A slow line may outlast a short sleep, so the last one is longer. The
# first two runs of a line load kernels and allocate memory, and do not count.

HOLDS = 40_000_000, 40_000_000, 120_000_000  # cycles: from about twenty milliseconds on
event = torch.cuda.Event()


def waited(run, cycles):
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    event.record()
    run()
    return event.query()


rows = []
for part in filter(None, CALLS.replace("\n", " | ").split(" | ")):
    name, code = part.split(": ", 1)
    run = partial(exec, compile(code, name, "exec"), globals())
    run(), run()
    waits = sum(waited(run, cycles) for cycles in HOLDS)
    rows.append({"call": name, "code": code, "waited": waits})
    print(*rows[-1].values(), sep=" | ")

measured = {"tries": len(HOLDS), "by_call": {"table": rows}}
