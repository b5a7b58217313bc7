"""
Sentence (transfer/pinned_memory.md:291): To read all of it gains nothing, each time: adding up the table over the link takes [about] the time of copying it and adding up the copy.

Attack: The script has one table, 64 MiB. Here tables from 4 KiB to 64 MiB: sum of the mapped tensor over copying it and adding up the copy, as in the script; and a second reading (an addition out of it into memory of the GPU).

Expected: small tables gain: no copy has to be called, so the mapped sum takes 0.4 to 0.7 of the time.

Refuted if: at some size the mapped sum takes less than 0.75 of the time of copying and adding up (median of 25 rounds).
"""
import json
import time

import torch

SENTENCE = 'To read all of it gains nothing, each time: adding up the table over the link takes [about] the time of copying it and adding up the copy.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)


from statistics import median


class OnTheGpu:
    def __init__(self, host):
        self.host = host
        data, shape = (host.data_ptr(), False), tuple(host.shape)
        self.__cuda_array_interface__ = {"typestr": "<f4", "data": data, "shape": shape, "version": 2}


def attack():
    def seconds(way):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        way()
        torch.cuda.synchronize()
        return time.perf_counter() - begin

    shares = {}
    for size in (4096, 65536, 2**18, 2**20, 2**22, 2**24, 2**26):
        table = torch.randn(size // 4).pin_memory()
        mapped = torch.as_tensor(OnTheGpu(table), device="cuda")
        out = torch.empty(size // 4, device="cuda")
        ways = {"mapped": lambda: mapped.sum(), "copied": lambda: table.to("cuda", non_blocking=True).sum(),
                "mapped add": lambda: torch.add(mapped, 1, out=out), "copied add": lambda: torch.add(table.to("cuda", non_blocking=True), 1, out=out)}
        for _ in range(5):
            for way in ways.values():
                seconds(way)
        rounds = [{n: seconds(w) for n, w in ways.items()} for _ in range(25)]
        shares[size] = round(median(r["mapped"] / r["copied"] for r in rounds), 3)
        add = round(median(r["mapped add"] / r["copied add"] for r in rounds), 3)
        say(size=size, sum_over_copy_and_sum=shares[size], add_over_copy_and_add=add, mapped_us=round(median(r["mapped"] for r in rounds) * 1e6, 1))
    return any(s < 0.75 for s in shares.values()), {"mapped_over_copied": shares}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
