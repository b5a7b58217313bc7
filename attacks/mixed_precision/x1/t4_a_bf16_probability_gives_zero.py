"""
Page: traps.md.
Sentence: "A 16-bit probability that rounds to one makes the gradient NaN" (title of the picture) and "the loss of
a probability has a steep gradient, which a 16-bit number cannot hold" (its caption).
Attack: the page's by_cast_probability, in BF16 and FP16, at logits from 4 to 30: which of them round to one, and
which gradient comes back? And as a batch: a mean over 1, 2**20 and 2**26 elements divides the steep gradient, so
that FP16 can hold it; target 1; a weight of 0.01. The steep gradient itself, 1e12, against the largest BF16 number.
Refuted if a 16-bit probability that is exactly one has a gradient that is not NaN, in BF16 and for some batch in
FP16, or if the steep gradient is finite in BF16.
"""
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
F = torch.nn.functional
MOST = 2**26 if device == "cuda" else 2**16


def gradient(value, dtype, n=1, weight=1.0):
    leaf = torch.full((n,), float(value), device=device, requires_grad=True)
    with torch.autocast(device, torch.float16), torch.autocast(device, enabled=False):
        logit = leaf.to(dtype)
        low = logit.sigmoid()
        low.retain_grad()
        loss = F.binary_cross_entropy(low.float(), torch.zeros(n, device=device)) * weight
        loss.backward()
    grad = leaf.grad
    word = "NaN" if grad.isnan().any() else "infinite" if grad.isinf().any() else f"{grad[0].item() * n:.3g}"
    steep = low.grad[0].item()
    return bool((low == 1).all()), word, steep


rows, bf16_not_nan, fp16_not_nan = [], [], []
for dtype in (torch.bfloat16, torch.float16):
    for value in (4, 6, 7, 8, 10, 12, 16, 30):
        for n, weight in ((1, 1.0), (2**20 if device == "cuda" else 2**12, 1.0), (MOST, 1.0), (MOST, 0.01)):
            if n > 1 and value != 16:
                continue
            one, word, steep = gradient(value, dtype, n, weight)
            print(f"{str(dtype)[6:]}, logit {value}, {n} elements, weight {weight}: exactly one {one}, gradient of the probability {steep:.3g}, of the logit {word}")
            if one and word != "NaN":
                (bf16_not_nan if dtype == torch.bfloat16 else fp16_not_nan).append(f"logit {value}, {n} elements: {word}, steep {steep:.3g}")
print("largest numbers:", torch.finfo(torch.bfloat16).max, torch.finfo(torch.float16).max)
if bf16_not_nan:
    print(f"REFUTED: BF16 probabilities that are one have no NaN, and BF16 holds the steep gradient: {bf16_not_nan}; FP16: {fp16_not_nan}")
elif fp16_not_nan:
    print(f"REFUTED: FP16 probabilities that are one without NaN: {fp16_not_nan}")
else:
    print("NOT REFUTED: every probability of one gave NaN, in BF16 and FP16")
