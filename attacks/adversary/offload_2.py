"""offload.md, line 235.
Sentence: The hooks above leave weights, the batch and small tensors where they are, copy an activation once, and do so in a stream of their own.
Attack: The page's pack hook on a net with a skip connection: the first activation is saved again after three other activations have left (leaving holds only two).
Expect: Refuted: the activation is copied a second time, since it is no longer in `leaving`; gradients stay right.
Refuted if: the hook makes more copies than there are different activations (distinct storages of at least 1 MiB, without weights and batch)
"""
import json, time
import torch

SENTENCE = 'The hooks above leave weights, the batch and small tensors where they are, copy an activation once, and do so in a stream of their own.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

from torch.autograd.graph import saved_tensors_hooks

LARGE = 2**20
on_host, leaving, back, stay, seen = [], [], {}, set(), []
side = None


def copy(source, target):
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        target.copy_(source, non_blocking=True)
        return side.record_event()


def pack(tensor):
    if tensor.nbytes < LARGE or tensor.untyped_storage().data_ptr() in stay:
        return tensor
    seen.append(tensor)  # kept alive: an address is never used again
    for index, other, _ in leaving:
        if tensor.is_set_to(other):
            return index
    on_host.append(torch.empty_like(tensor, device="cpu", pin_memory=True))
    leaving.append((len(on_host) - 1, tensor, copy(tensor, on_host[-1])))
    if len(leaving) > 2:
        leaving.pop(0)[-1].synchronize()
    return len(on_host) - 1


def main():
    global side
    side = torch.cuda.Stream()
    layers = [torch.nn.Linear(512, 512).cuda() for _ in range(5)]
    batch = torch.rand(2048, 512, device="cuda")
    stay.update(t.untyped_storage().data_ptr() for t in (batch, *(p for l in layers for p in l.parameters())))
    with saved_tensors_hooks(pack, lambda packed: packed if isinstance(packed, torch.Tensor) else on_host[packed].cuda()):
        first = layers[0](batch).relu()
        output = first
        for layer in layers[1:4]:
            output = layer(output).relu()
        loss = layers[4](output + first @ layers[0].weight.detach()).square().mean()
        loss = loss + (first * output).mean()  # the skip: the first activation is saved again
    torch.cuda.synchronize()
    different = len({t.untyped_storage().data_ptr() for t in seen})
    numbers = {"copies": len(on_host), "different_activations": different, "saved": len(seen)}
    loss.backward()
    torch.cuda.synchronize()
    return len(on_host) > different, numbers


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
