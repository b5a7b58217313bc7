"""
A model registered once takes no more
=====================================

How much memory does it take to pin a whole model? PyTorch rounds each pinned tensor up to a power
of two, so that a model may take nearly twice its size. Weights that lie in one piece of ordinary
memory are pinned where they are, by one call of ``cudaHostRegister``.
"""

# sphinx_gallery_quiet = "host"
import time

import torch

layer = torch.nn.TransformerEncoderLayer(768, 12, 3072, batch_first=True)
flat = torch.nn.utils.parameters_to_vector(layer.parameters()).detach()
begin = 0
for parameter in layer.parameters():  # each becomes a part of the one piece
    parameter.data = flat[begin : begin + parameter.numel()].view_as(parameter)
    begin += parameter.numel()

torch.zeros(1, device="cuda")  # starts CUDA
cudart = torch.cuda.cudart()
torch.cuda.check_error(cudart.cudaHostRegister(flat.data_ptr(), flat.nbytes, 0))
print(all(parameter.is_pinned() for parameter in layer.parameters()))
torch.cuda.check_error(cudart.cudaHostUnregister(flat.data_ptr()))

# %%
# How much a pinned tensor takes, by its size. Emptying the cache of pinned memory does nothing
# before the program has used memory of the GPU, as it has above.

MIB = 2**20


def held():
    return torch.cuda.host_memory_stats()["allocated_bytes.current"]


by_size = []
for size in (8 * MIB, 8 * MIB + 1, 9 * MIB, 10 * MIB, 12 * MIB, 14 * MIB, 16 * MIB):
    pinned = torch.empty(size, dtype=torch.uint8, pin_memory=True)
    row = {"size_bytes": size, "held_bytes": held()}
    by_size.append(row | {"held_ratio": round(held() / size, 3)})
    del pinned
    torch.accelerator.empty_host_cache()  # before PyTorch 2.12: torch._C._host_emptyCache
print(*by_size, sep="\n")

# %%
# The layers of a model with the shapes of GPT-2, in three ways: each tensor by itself, copied into
# one pinned buffer, and registered where they are. All have been written before.

LAYERS, ROUNDS = 12, 4
weights = [parameter.detach() for parameter in layer.parameters()]
tensors = [weight.clone() for _ in range(LAYERS) for weight in weights]
whole = torch.cat([tensor.flatten() for tensor in tensors])
target = torch.empty_like(whole, device="cuda")


def each():
    return [tensor.pin_memory() for tensor in tensors]


def one_buffer():
    return whole.pin_memory()


def registered():
    torch.cuda.check_error(cudart.cudaHostRegister(whole.data_ptr(), whole.nbytes, 0))
    return whole


WAYS = {"each": each, "one buffer": one_buffer, "registered": registered}


def pinned_in(way):
    torch.cuda.synchronize()
    before, begin = held(), time.perf_counter()  # the cache may not be empty yet
    kept = WAYS[way]()
    taken = time.perf_counter() - begin
    parts = kept if way == "each" else [kept]
    found = {
        "held_bytes": held() - before,
        "pinned": all(part.is_pinned() for part in parts),
    }
    begin = 0
    for part in parts:
        there = target[begin : begin + part.numel()].view_as(part)
        there.copy_(part, non_blocking=True)
        begin += part.numel()
    torch.cuda.synchronize()
    found["right"] = torch.equal(target.cpu(), whole)
    target.zero_()
    if way == "registered":
        torch.cuda.check_error(cudart.cudaHostUnregister(whole.data_ptr()))
    return found, taken


rounds = []
for turn in range(1 + ROUNDS):
    rounds.append({})
    for way in [*WAYS][:: -1 if turn % 2 else 1]:
        rounds[turn][way] = pinned_in(way)
        torch.cuda.synchronize()  # a freed block waits for its copy; then the cache has it
        torch.accelerator.empty_host_cache()
table = []
for way in WAYS:
    ratios = [each[way][1] / each["each"][1] for each in rounds[1:]]
    row = {"way": way, **rounds[-1][way][0], "time_ratio": {"samples": ratios}}
    table.append(row)
    print(way, row["held_bytes"], sorted(ratios)[ROUNDS // 2])

# %%
# Times are relative to pinning each tensor by itself, for the first time in each round.

measured = {
    "tensors": len(tensors),
    "weights_bytes": whole.nbytes,
    "by_size": {"table": by_size},
    "by_way": {"table": table},
}
