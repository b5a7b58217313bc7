"""
Logit gradients of a language model vanish
==========================================

What does a language model lose without a gradient scaler in FP16? Gradients of its logits vanish,
since there are many words. Those of the words in its data do not, and it learns nearly as well.
"""

# sphinx_gallery_evidence = {"processes": 1, "timeout": 180, "expected_warnings": ["Attempting"]}
# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn
from torch.nn.functional import cross_entropy

# %%
# A small language model learns sequences in which the next word follows from the last one, nine
# times out of ten. So its loss has a floor, and it takes many steps to come near it.

WORDS, WIDTH, LAYERS, SEQUENCES, LENGTH, STEPS = 8192, 256, 2, 64, 128, 200


def batch(generator, common=1024):
    shape = SEQUENCES, LENGTH + 1
    draw = {"generator": generator, "device": "cuda"}
    tokens = torch.randint(common, shape, **draw)
    noise = torch.rand(shape, **draw) < 0.1
    for place in range(1, LENGTH + 1):
        follows = (3 * tokens[:, place - 1] + 1) % common
        tokens[:, place] = follows.where(~noise[:, place], tokens[:, place])
    return tokens * (WORDS // common)


def new_model(seed):
    torch.manual_seed(seed)
    settings = {"batch_first": True, "norm_first": True, "dropout": 0.0}
    layers = [
        nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, **settings)
        for _ in range(LAYERS)
    ]
    parts = {"words": nn.Embedding(WORDS, WIDTH), "places": nn.Embedding(LENGTH, WIDTH)}
    parts |= {"body": nn.Sequential(*layers, nn.LayerNorm(WIDTH))}
    return nn.ModuleDict(parts | {"head": nn.Linear(WIDTH, WORDS)}).cuda()


mask = nn.Transformer.generate_square_subsequent_mask(LENGTH, device="cuda")


def logits_of(model, tokens):
    x = model["words"](tokens) + model["places"].weight
    for layer in model["body"][:-1]:
        x = layer(x, src_mask=mask, is_causal=True)
    return model["head"](model["body"][-1](x))


# %%
# Each way begins with the same weights and sees the same batches. The loss is that of batches that
# were not seen, in FP32. In the last step, zeros are counted among the gradients of the logits and
# of the last layer's weights.

WAYS = {
    "FP32": {},
    "BF16 without a scaler": {"dtype": torch.bfloat16},
    "FP16 with a scaler": {"dtype": torch.float16, "scales": True},
    "FP16 without a scaler": {"dtype": torch.float16},
}
OPTIMIZERS = {
    "AdamW": lambda weights: torch.optim.AdamW(weights, lr=2e-3, fused=True),
    "SGD": lambda weights: torch.optim.SGD(weights, lr=0.1, momentum=0.9, fused=True),
}
seen = [batch(torch.Generator("cuda").manual_seed(n)) for n in range(50)]
unseen = [batch(torch.Generator("cuda").manual_seed(n)) for n in range(100, 104)]


def train(optimizer, seed=0, dtype=torch.float32, scales=False):
    model = new_model(seed)
    weights = list(model.parameters())
    steps = OPTIMIZERS[optimizer](weights)
    scaler = torch.amp.GradScaler("cuda", enabled=scales)
    for step in range(STEPS):
        tokens = seen[step % len(seen)]
        with torch.autocast("cuda", dtype, enabled=dtype is not torch.float32):
            logits = logits_of(model, tokens[:, :-1])
            logits.retain_grad()
            loss = cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        steps.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(steps)
        scaler.update()
    last = logits.grad, model["head"].weight.grad
    zero = [(grad == 0).float().mean().item() for grad in last]
    with torch.no_grad():
        losses = [
            cross_entropy(logits_of(model, t[:, :-1]).flatten(0, 1), t[:, 1:].flatten())
            for t in unseen
        ]
    return torch.stack(losses).mean().item(), *zero


rows, base = [], (1.0, 1.0)
for optimizer in OPTIMIZERS:
    for way, options in WAYS.items():
        loss, logits, head = train(optimizer, **options)
        other = train(optimizer, seed=1, **options)[0]
        if way == "FP32":
            base = loss, other
        row = {"case": f"{optimizer}, {way}", "loss": loss, "other_seed_loss": other}
        row |= {"ratio": loss / base[0], "other_seed_ratio": other / base[1]}
        rows.append(row | {"zero_logits_share": logits, "zero_head_share": head})
        print(rows[-1])
measured = {"words": WORDS, "tokens": SEQUENCES * LENGTH, "steps": STEPS}
measured["by_case"] = {"table": rows}
