"""
Other arguments make a call wait
================================

Does a call that returned at once always return at once? With some arguments, PyTorch reads a value.
Each line here runs behind a kernel that holds the stream, next to one that does not wait.
"""

# sphinx_gallery_evidence = {"processes": 1}
import io
import warnings
from functools import partial

import torch
from torch import distributions, nn

warnings.simplefilter("ignore")  # about the debug mode, and about anomaly detection
torch.manual_seed(0)
on, unchecked = {"device": "cuda"}, {"validate_args": False}
x, ones, eye = torch.rand(8, 8, **on), torch.ones(8, 8, **on), torch.eye(8, **on)

# %%
# Distributions that draw until each number or matrix is accepted, beside one that draws once.

von_mises = distributions.VonMises(x, ones, **unchecked)
wishart = distributions.Wishart(x.sum() + 20, covariance_matrix=eye, **unchecked)
correlated = distributions.MultivariateNormal(x[0], covariance_matrix=eye, **unchecked)
CALLS = """
normal: distributions.Normal(x, ones, **unchecked).rsample() | multivariate: correlated.rsample()
von-mises: von_mises.sample() | wishart: wishart.sample() | wishart-gradient: wishart.rsample()
multivariate-made: distributions.MultivariateNormal(x[0], covariance_matrix=eye, **unchecked)
multivariate-factored: distributions.MultivariateNormal(x[0], scale_tril=eye, **unchecked)
"""

# %%
# A loss and models. PyTorch looks whether a mask is causal, or where a sequence is padded.

logits, target = torch.randn(16, 8, **on), torch.arange(16, **on) % 8
tokens, weight = torch.randn(8, 8, 16, **on), torch.ones(8, **on)
causal_mask = nn.Transformer.generate_square_subsequent_mask(8, **on)
layers = nn.TransformerEncoderLayer(16, 2, 32), nn.TransformerDecoderLayer(16, 2, 32)
encoder = nn.TransformerEncoder(layers[0], 1, enable_nested_tensor=False).cuda()
decoder = nn.TransformerDecoder(layers[1], 1).cuda()
layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
packing = nn.TransformerEncoder(layer, 1).cuda().eval()
plain = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False).cuda().eval()
padding = torch.arange(8, **on).expand(8, 8) > 5
cross_entropy = partial(nn.functional.cross_entropy, logits, target)
CALLS += """
loss: cross_entropy() | loss-weighted: cross_entropy(weight=weight)
loss-smoothed: cross_entropy(label_smoothing=0.1)
loss-both: cross_entropy(weight=weight, label_smoothing=0.1)
loss-both-sum: cross_entropy(weight=weight, label_smoothing=0.1, reduction="sum")
encoder: encoder(tokens) | encoder-causal: encoder(tokens, mask=causal_mask)
encoder-told: encoder(tokens, mask=causal_mask, is_causal=True)
decoder-causal: decoder(tokens, tokens, tgt_mask=causal_mask)
decoder-told: decoder(tokens, tokens, tgt_mask=causal_mask, tgt_is_causal=True)
encoder-padded: with torch.no_grad(): packing(tokens, causal_mask, padding, is_causal=True)
encoder-padded-plain: with torch.no_grad(): plain(tokens, causal_mask, padding, is_causal=True)
"""

# %%
# Backward passes, inverses, comparisons, indices, an optimizer that was loaded, and statistics.

inputs = ones.clone().requires_grad_()
product_loss, exp_loss = inputs.prod(-1).sum(), inputs.exp().sum()
small_ones = torch.eye(32, **on).expand(64, 32, 32) * 2
large_ones = torch.eye(130, **on).expand(3, 130, 130) * 2
host_number, host_pair = torch.tensor(2), torch.tensor([0, 2])
leaf, loaded = ones.clone(), {}
leaf.grad = ones
saved = torch.optim.Adam([leaf])
saved.step()
torch.save(saved.state_dict(), file := io.BytesIO())
for place in ("cuda", "cpu"):
    file.seek(0)
    loaded[place] = torch.optim.Adam([leaf])
    loaded[place].load_state_dict(torch.load(file, map_location=place))
CALLS += """
backward: exp_loss.backward(retain_graph=True)
backward-product: product_loss.backward(retain_graph=True)
anomaly: with torch.autograd.detect_anomaly(): exp_loss.backward(retain_graph=True)
unchecked: with torch.autograd.detect_anomaly(check_nan=False): exp_loss.backward(retain_graph=True)
inverse: torch.linalg.inv_ex(eye) | inverse-many: torch.linalg.inv_ex(small_ones)
inverse-large: torch.linalg.inv_ex(large_ones) | cholesky-many: torch.linalg.cholesky_ex(small_ones)
cholesky-large: torch.linalg.cholesky_ex(large_ones)
equal: torch.equal(x, ones) | equal-itself: torch.equal(x, x) | adam-cuda: loaded["cuda"].step()
adam-cpu: loaded["cpu"].step() | index-host: x[host_pair] | index-host-number: x[host_number]
histogram: x.histc(8) | histogram-range: x.histc(8, 0, 1) | covariance: x.cov() | mode: x.mode()
isin: torch.isin(x, ones) | isin-few: torch.isin(x, ones[0, :2]) | variance: x.var(1)
isin-unique: torch.isin(x, x + 1, assume_unique=True) | mode-long: torch.rand(3, 9**5, **on).mode()
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
