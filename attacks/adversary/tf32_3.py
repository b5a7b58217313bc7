"""
Sentence (precision/tf32.md:413): The product and the convolution of one pixel round it [a number half-way] to even, a convolution of three by three pixels away from zero.

Attack: The script has one shape (64 channels, 8 images, NCHW). Here: 3x3 convolutions of 32 to 256 channels, both memory formats, 1 to 32 images; 1x1 likewise; products of 2 to 4096 rows, bmm, transposed. A centre-only (identity) window, input full of 1 + t*2^-10, t in 0.5, 1.5, and -(1 + 0.5).

Expected: 3x3 with 256 channels, or in channels_last, rounds to even (the dry run tf32-10 says so): the rule is that of one kernel, not of 3x3 convolutions.

Refuted if: some 3x3 convolution in TF32 does not round away from zero, or some product or 1x1 convolution in TF32 does not round to even.
"""
import json
import time

import torch

SENTENCE = 'The product and the convolution of one pixel round it [a number half-way] to even, a convolution of three by three pixels away from zero.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)


STEP = 2.0**-10
TIES = {(1, 2, 1): "away", (0, 2, 0): "even", (0, 1, 0): "towards zero"}


def ties(apply):
    got = []
    for number in (1 + 0.5 * STEP, 1 + 1.5 * STEP, -(1 + 0.5 * STEP)):
        value = abs(apply(number))
        got.append(round((value - 1) / STEP, 3))
    return TIES.get(tuple(got), "fp32" if got == [0.5, 1.5, 0.5] else str(got))


def attack():
    torch.backends.cuda.matmul.fp32_precision = "tf32"
    torch.backends.cudnn.conv.fp32_precision = "tf32"
    torch.backends.cudnn.rnn.fp32_precision = "tf32"
    found = {}
    for size in (3, 1):
        for channels in (32, 64, 128, 256):
            window = torch.zeros(channels, channels, size, size, device="cuda")
            window[:, :, size // 2, size // 2] = torch.eye(channels, device="cuda")
            for images in (1, 8, 32):
                for last in (False, True):
                    form = torch.channels_last if last else torch.contiguous_format

                    def apply(number):
                        x = torch.full((images, channels, 16, 16), number, device="cuda").to(memory_format=form)
                        y = torch.conv2d(x, window.to(memory_format=form), padding=size // 2)
                        return y[0, 0, 8, 8].item()

                    key = f"conv{size}x{size} c={channels} n={images} last={last}"
                    found[key] = ties(apply)
                    say(case=key, ties=found[key])
    for rows in (2, 16, 1024, 4096):
        eye = torch.eye(1024, device="cuda")
        found[f"product {rows}"] = ties(lambda v: (torch.full((rows, 1024), v, device="cuda") @ eye)[0, 0].item())
        found[f"product right {rows}"] = ties(lambda v: (eye @ torch.full((1024, rows), v, device="cuda"))[0, 0].item())
        say(case=f"product {rows}", ties=[found[f"product {rows}"], found[f"product right {rows}"]])
    bad = {k: v for k, v in found.items() if v != "fp32" and v != ("away" if "3x3" in k else "even")}
    return bool(bad), {"cases": len(found), "against_the_sentence": bad}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
