"""
data_loader_2: docs/transfer/data_loader.md:30, 118, 74

Sentence: The loader pins what it finds in dicts, lists and tuples. It does not look into other objects, but lets them pin themselves (and: the loader knows mappings and sequences; every batch comes out as the class that it went in as).
Attack: objects that are no dict, list or tuple: deque, UserDict, UserList, ChainMap, OrderedDict, defaultdict, a class of one's own that is a Mapping or a Sequence; a sequence that cannot be set or built from a list; memoryview and range; with and without a worker's thread
Expectation: it looks into every Mapping and Sequence, so into UserDict and deque; some come out as another class (a plain list or dict)
Refuted if: A: a tensor in an object that is no dict, list or tuple comes out pinned; B (reported): a Sequence or Mapping whose tensor is not pinned, or that changes its class
"""
import json
import os
import time

T0 = time.perf_counter()
import warnings

warnings.simplefilter('ignore')
import torch

SENTENCE = 'The loader pins what it finds in dicts, lists and tuples. It does not look into other objects, but lets them pin themselves (and: the loader knows mappings and sequences; every batch comes out as the class that it went in as).'


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

import collections
from collections.abc import Mapping, Sequence

from torch.utils.data import DataLoader


class MyMapping(Mapping):
    def __init__(self, x):
        self.x = x

    def __getitem__(self, key):
        if key != "x":
            raise KeyError(key)
        return self.x

    def __iter__(self):
        return iter(["x"])

    def __len__(self):
        return 1


class MySequence(Sequence):
    def __init__(self, x, name):
        self.x, self.name = x, name

    def __getitem__(self, index):
        if index:
            raise IndexError
        return self.x

    def __len__(self):
        return 1


def unchanged(batch):
    return batch


def main():
    x = torch.ones(4)
    kinds = {"deque": collections.deque([x]), "UserDict": collections.UserDict(x=x), "UserList": collections.UserList([x]),
             "ChainMap": collections.ChainMap({"x": x}), "OrderedDict": collections.OrderedDict(x=x),
             "defaultdict": collections.defaultdict(list, x=x), "MyMapping": MyMapping(x), "MySequence": MySequence(x, "n"),
             "frozenset": frozenset([x]), "dict values": {"x": x}.values(), "generator": (y for y in [x]),
             "object array": None, "range": range(3), "memoryview": memoryview(b"ab")}
    rows = {}
    for kind, batch in kinds.items():
        if batch is None:
            continue
        try:
            got = next(iter(DataLoader([batch], batch_size=None, collate_fn=unchanged, pin_memory=True)))
            row = {"class_kept": type(got) is type(batch), "came_as": type(got).__name__}
            if kind not in ("range", "memoryview"):
                item = got["x"] if isinstance(got, Mapping) else next(iter(got))
                row["pinned"] = item.is_pinned()
            rows[kind] = row
        except Exception as error:
            rows[kind] = {"error": repr(error)[:200]}
    looked = [k for k, r in rows.items() if r.get("pinned")]
    others = [k for k in looked if not isinstance(kinds[k], (dict, list, tuple))]
    changed = [k for k, r in rows.items() if r.get("class_kept") is False]
    return bool(others), {"looked_into": looked, "no_dict_list_tuple": others, "class_changed": changed, "all": rows}


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
