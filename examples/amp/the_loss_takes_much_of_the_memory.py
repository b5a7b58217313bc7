"""
The loss takes much of the memory
=================================

How much of the memory of a language model's step is its loss? With a large vocabulary, a large
part of the peak: the loss has a number for each token and word, in FP32 and several times. With the
loss in chunks, that is gone.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn
from torch.nn.functional import cross_entropy
from torch.utils.checkpoint import checkpoint

# %%
# A small language model under autocast to BF16, with AdamW. It reads all tokens at once, and the
# embedding is not shared with the last layer.

LAYERS, WIDTH, HEADS, SEQUENCES, LENGTH, CHUNK = 6, 1024, 16, 8, 1024, 1024
VOCABULARIES = 8192, 32768, 131072


def new_model(words):
    torch.manual_seed(0)
    settings = {"batch_first": True, "norm_first": True, "dropout": 0.0}
    blocks = [
        nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, **settings)
        for _ in range(LAYERS)
    ]
    body = nn.Sequential(nn.Embedding(words, WIDTH), *blocks, nn.LayerNorm(WIDTH))
    return nn.ModuleDict({"body": body, "head": nn.Linear(WIDTH, words, bias=False)})


# %%
# The usual loss, and the same in chunks that are computed again in backward.


def whole(head, hidden, targets):
    return cross_entropy(head(hidden), targets)


def sum_of_losses(head, hidden, targets):
    return cross_entropy(head(hidden), targets, reduction="sum")


def in_chunks(head, hidden, targets):
    pairs = zip(hidden.split(CHUNK), targets.split(CHUNK))
    again = {"use_reentrant": False}
    parts = [checkpoint(sum_of_losses, head, *pair, **again) for pair in pairs]
    return sum(parts) / len(targets)


# %%
# The peak of the second step, in which the state of the optimizer is there from the start.


def peak_bytes(words, loss_of):
    model = new_model(words).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    tokens = torch.randint(words, (SEQUENCES, LENGTH + 1), device="cuda")
    for _ in range(2):
        torch.cuda.reset_peak_memory_stats()
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            hidden = model["body"](tokens[:, :-1]).flatten(0, 1)
            loss = loss_of(model["head"], hidden, tokens[:, 1:].flatten())
        loss.backward()
        optimizer.step()
    return torch.cuda.max_memory_allocated()


rows = []
for words in VOCABULARIES:
    row = {"words": words, "logits_bytes": 2 * SEQUENCES * LENGTH * words}
    row["peak_bytes"] = peak_bytes(words, whole)
    row["chunked_peak_bytes"] = peak_bytes(words, in_chunks)
    row["saved_share"] = 1 - row["chunked_peak_bytes"] / row["peak_bytes"]
    rows.append(row)
    print(row)

# %%
# The logits that are counted are one set, in BF16.

measured = {"layers": LAYERS, "width": WIDTH, "tokens": SEQUENCES * LENGTH}
measured["by_words"] = {"table": rows}
