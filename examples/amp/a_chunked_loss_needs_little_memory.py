"""
A chunked loss needs little memory
==================================

Why does the loss of a language model need so much memory? It has a number for each token and word,
in FP32 and several times. For some tokens at a time, and again in backward, it needs a fraction.
"""

# sphinx_gallery_evidence = {"timeout": 240, "expected_warnings": [".*deprecated"]}
import torch
from torch.nn.functional import cross_entropy
from torch.utils.checkpoint import checkpoint


def sum_of_losses(head, hidden, targets):
    return cross_entropy(head(hidden), targets, reduction="sum")


def chunked_loss(head, hidden, targets, tokens=1024):
    """The mean loss of a language model, a chunk of tokens at a time."""
    total = 0.0
    for some, wanted in zip(hidden.split(tokens), targets.split(tokens)):
        total += checkpoint(sum_of_losses, head, some, wanted, use_reentrant=False)
    return total / len(targets)


# %%
# What the last layer gets, and the next words: few are common and most are rare, as in a text. The
# numbers are those of BF16, so that a reference in FP64 starts from the same.

import warnings
from functools import partial

TOKENS, WIDTH, WORDS, CHUNK = 8192, 1024, 131072, 1024
torch.manual_seed(0)
head = torch.nn.Linear(WIDTH, WORDS, bias=False, device="cuda")
head.weight.data.normal_(std=2 / WIDTH**0.5).copy_(head.weight.bfloat16())
targets = torch.multinomial(1 / torch.arange(1.0, WORDS), TOKENS, True).cuda()
hidden = torch.randn(TOKENS, WIDTH, device="cuda") + 3 * head.weight.detach()[targets]
hidden = hidden.bfloat16().requires_grad_()


def whole(head, hidden, targets, in_fp32=True):
    logits = head(hidden)
    with torch.autocast("cuda", dtype=torch.bfloat16, enabled=in_fp32):
        return cross_entropy(logits, targets)


def in_chunks(head, hidden, targets):
    pairs = zip(hidden.split(CHUNK), targets.split(CHUNK))
    return sum(sum_of_losses(head, *pair) for pair in pairs) / len(targets)


def of_pytorch(head, hidden, targets, rows=None):
    options = torch.nn.LinearCrossEntropyOptions(batch_chunk_size=rows)
    weight = head.weight.to(hidden.dtype)  # the function casts nothing itself
    function = torch.nn.functional.linear_cross_entropy
    with torch.autocast("cuda", enabled=False):
        return function(hidden, weight, targets, options=options)


# %%
# The peak counts what comes on top of the weights and what the last layer gets. It includes the
# gradients and the copy of the weight in BF16, which each way needs.


def run(loss_of, cache=True):
    head.weight.grad = hidden.grad = None
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    with torch.autocast("cuda", dtype=torch.bfloat16, cache_enabled=cache):
        loss = loss_of(head, hidden, targets)
    loss.backward()
    peak = torch.cuda.max_memory_allocated() - before
    return peak, loss.item(), (hidden.grad, head.weight.grad)


# %%
# The reference in FP64, a chunk at a time.

weight = head.weight.detach().double()
exact_loss, of_hidden, of_weight = 0.0, [], torch.zeros_like(weight)
for some, wanted in zip(hidden.detach().double().split(CHUNK), targets.split(CHUNK)):
    logits = some @ weight.T
    exact_loss += cross_entropy(logits, wanted, reduction="sum").item() / TOKENS
    gradient = logits.softmax(-1)
    gradient[torch.arange(CHUNK), wanted] -= 1
    of_hidden.append(gradient @ weight / TOKENS)
    of_weight += gradient.T @ some / TOKENS
exact = torch.cat(of_hidden), of_weight

# %%
# Errors are shares of the exact size, of two digits: one way adds in an order of its own each time.
# The first call of a way compiles, and lets libraries take what they keep.

WAYS = {
    "whole": whole,
    "whole, in BF16": partial(whole, in_fp32=False),
    "compiled": torch.compile(whole),
    "in chunks": in_chunks,
    "in chunks, checkpointed": chunked_loss,
    "checkpointed, no cache": chunked_loss,
    "linear_cross_entropy": of_pytorch,
    "the same, 1024 at a time": partial(of_pytorch, rows=CHUNK),
}
rows = []
for way, loss_of in WAYS.items():
    with warnings.catch_warnings(action="ignore"):  # the compiler's own
        for _ in range(2):
            peak, loss, found = run(loss_of, cache="no cache" not in way)
    errors = [abs(loss / exact_loss - 1)]
    errors += [((a - b).norm() / b.norm()).item() for a, b in zip(found, exact)]
    row = {"way": way, "peak_bytes": peak}
    row["peak_share"] = peak / (rows[0]["peak_bytes"] if rows else peak)
    for name, error in zip(("loss", "hidden", "weight"), errors):
        row[f"{name}_error_share"] = float(f"{error:.2g}")
    rows.append(row)
    print(row)
measured = {"tokens": TOKENS, "words": WORDS, "chunk": CHUNK, "by_way": {"table": rows}}
measured["logits_bytes"] = 2 * TOKENS * WORDS
