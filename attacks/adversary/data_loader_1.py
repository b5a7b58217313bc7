"""
data_loader_1: docs/transfer/data_loader.md:332 (no claim)

Sentence: The workers draw samples at random and stack them, as a `DataLoader` does by default.
Attack: a DataLoader with defaults, and with workers: the order of its samples; and the class of its sampler (the example gives a RandomSampler itself)
Expectation: a DataLoader's default is the order of the dataset (shuffle=False); drawing at random, and with replacement, is not a default; and the workers do not draw, the sampler of the main process does
Refuted if: samples come in order with defaults
"""
import json
import os
import time

T0 = time.perf_counter()
import warnings

warnings.simplefilter('ignore')
import torch

SENTENCE = 'The workers draw samples at random and stack them, as a `DataLoader` does by default.'


def out(**row):
    print(json.dumps(row, default=str), flush=True)


def finish(refuted, numbers):
    verdict = "refuted" if refuted else "not refuted"
    row = {"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}
    print(json.dumps(row, default=str), flush=True)


def cycles_of(seconds):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for _ in range(2):
        begin.record()
        torch.cuda._sleep(10_000_000)
        end.record()
        end.synchronize()
    return int(seconds * 10_000_000 / (begin.elapsed_time(end) / 1e3))


def empty_host_cache():
    public = getattr(torch.accelerator, "empty_host_cache", None)
    (public or torch._C._host_emptyCache)()

from torch.utils.data import DataLoader


def main():
    data = torch.arange(64)
    orders = {}
    for workers in (0, 2):
        loader = DataLoader(data, batch_size=8, num_workers=workers, **({"multiprocessing_context": "fork"} if workers else {}))
        orders[workers] = torch.cat(list(loader)).tolist() == list(range(64))
    return all(orders.values()), {"in_order": orders, "sampler": type(DataLoader(data).sampler).__name__}


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
