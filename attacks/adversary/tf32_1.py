"""
Sentence (precision/tf32.md:83-84): TF32 that it [the newer switch] turns on makes every reader of the older one raise.

Attack: TF32 turned on by each newer switch in turn (matmul, conv, rnn, conv and rnn, cuDNN, the widest); then each older reader: matmul.allow_tf32, cudnn.allow_tf32, get_float32_matmul_precision().

Expected: cudnn.allow_tf32 never raises when the newer switches say tf32 (a dry run, tf32-06_defaults.txt, has 'generic tf32' with old_cudnn true); after conv/rnn tf32 no reader raises.

Refuted if: some newer switch that turns TF32 on leaves at least one older reader answering.
"""
import json
import time

import torch

SENTENCE = 'TF32 that it [the newer switch] turns on makes every reader of the older one raise.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)


from torch.backends import cuda, cudnn


def attempt(getter):
    try:
        return getter()
    except RuntimeError:
        return "raises"


def setter(owner):
    def set_to(value):
        owner.fp32_precision = value
    return set_to


def attack():
    readers = {"matmul.allow_tf32": lambda: cuda.matmul.allow_tf32, "cudnn.allow_tf32": lambda: cudnn.allow_tf32,
               "get_float32_matmul_precision": torch.get_float32_matmul_precision}
    switches = {"matmul": [cuda.matmul], "conv": [cudnn.conv], "rnn": [cudnn.rnn], "conv and rnn": [cudnn.conv, cudnn.rnn],
                "cudnn": [cudnn], "generic": [torch.backends]}
    answered = {}
    for name, owners in switches.items():
        before = [owner.fp32_precision for owner in owners]
        if "conv" in name or "rnn" in name:  # really turn it on: off first
            for owner in owners:
                owner.fp32_precision = "ieee"
        for owner in owners:
            owner.fp32_precision = "tf32"
        answers = {reader: attempt(getter) for reader, getter in readers.items()}
        say(newer_switch=name, **answers)
        kept = [reader for reader, answer in answers.items() if answer != "raises"]
        if kept:
            answered[name] = kept
        for owner, old in zip(owners, before):
            owner.fp32_precision = old
    return bool(answered), {"readers_that_do_not_raise": answered}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
