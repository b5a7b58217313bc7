"""
A chunked loss takes longer
===========================

What does a loss in chunks cost in time? It computes the logits twice, and adds to the gradient of
the whole weight for each chunk: small chunks take several times as long. The compiled loss is the
fastest way here.
"""

# sphinx_gallery_evidence = {"timeout": 240, "expected_warnings": [".*deprecated"]}
import time
import warnings

import torch
from torch.nn.functional import cross_entropy, linear_cross_entropy
from torch.utils.checkpoint import checkpoint

TOKENS, WIDTH, WORDS = 8192, 2048, 131072
torch.manual_seed(0)
head = torch.nn.Linear(WIDTH, WORDS, bias=False, device="cuda")
targets = torch.randint(WORDS, (TOKENS,), device="cuda")
hidden = torch.randn(TOKENS, WIDTH, device="cuda").bfloat16().requires_grad_()

# %%
# The ways to compute the loss, and chunks of three sizes.


def whole(head, hidden, targets):
    return cross_entropy(head(hidden), targets)


def sum_of_losses(head, hidden, targets):
    return cross_entropy(head(hidden), targets, reduction="sum")


def in_chunks(tokens):
    def loss(head, hidden, targets):
        pairs = zip(hidden.split(tokens), targets.split(tokens))
        again = {"use_reentrant": False}
        parts = [checkpoint(sum_of_losses, head, *pair, **again) for pair in pairs]
        return sum(parts) / len(targets)

    return loss


def of_pytorch(rows=None):
    options = torch.nn.LinearCrossEntropyOptions(batch_chunk_size=rows)

    def loss(head, hidden, targets):
        weight = head.weight.to(hidden.dtype)
        with torch.autocast("cuda", enabled=False):
            return linear_cross_entropy(hidden, weight, targets, options=options)

    return loss


WAYS = {
    "whole": whole,
    "compiled": torch.compile(whole),
    "chunks of 2048": in_chunks(2048),
    "chunks of 1024": in_chunks(1024),
    "chunks of 128": in_chunks(128),
    "linear_cross_entropy": of_pytorch(),
    "the same, 1024 at a time": of_pytorch(1024),
}

# %%
# Forward and backward, timed until the GPU is done. The ways take turns, after a warm-up in which
# each compiles and loads what it needs.


def seconds(loss_of):
    head.weight.grad = hidden.grad = None
    torch.cuda.synchronize()
    begin = time.perf_counter()
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = loss_of(head, hidden, targets)
    loss.backward()
    torch.cuda.synchronize()
    return time.perf_counter() - begin


with warnings.catch_warnings(action="ignore"):  # the compiler's own
    for loss_of in WAYS.values():
        seconds(loss_of)
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    seconds(whole)
rounds = [{way: seconds(WAYS[way]) for way in WAYS} for _ in range(10)]

# %%
# Each ratio compares two times of one round: more than one is longer than the usual loss.

rows = []
for way in WAYS:
    ratios = [times[way] / times["whole"] for times in rounds]
    row = {"way": way, "loss_s": {"samples": [times[way] for times in rounds]}}
    rows.append(row | {"time_ratio": {"samples": ratios}})
    print(f"{way}: {min(ratios):.2f} to {max(ratios):.2f}")
measured = {"tokens": TOKENS, "width": WIDTH, "words": WORDS, "by_way": {"table": rows}}
