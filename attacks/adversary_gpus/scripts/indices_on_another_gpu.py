"""Claim only-a-cpu-index-may-be-mixed: "A tensor on a GPU can be indexed by a tensor on the
CPU. An index on another GPU raises an error."

Attack: an index without dimensions on another GPU (x[i]), as a bound of a slice, in a list, in
a tuple with another; and CPU indices where they may not be used: index_select, gather, take,
embedding, scatter_, index_add_, index_put_ with accumulate, masks on the CPU.

Refuted if x[index on another GPU] returns the right values without an error, or x[CPU index]
(subscript, any form) raises.
"""
import torch

x = torch.arange(12.0, device="cuda:0").view(4, 3)
host = torch.arange(12.0).view(4, 3)
there = {"0-dim": torch.tensor(2, device="cuda:1"), "1-dim": torch.tensor([2, 0], device="cuda:1"),
         "0-dim bool": torch.tensor(True, device="cuda:1"), "mask": torch.tensor([True, False, True, False], device="cuda:1"),
         "0-dim int32": torch.tensor(2, dtype=torch.int32, device="cuda:1"), "one element": torch.tensor([2], device="cuda:1"),
         "empty": torch.empty(0, dtype=torch.long, device="cuda:1")}
SUBSCRIPTS = {
    "x[i]": lambda t, i: t[i], "x[:, i]": lambda t, i: t[:, i] if i.dtype != torch.bool or i.dim() == 0 else t.T[:, i],
    "x[i, 1]": lambda t, i: t[i, 1], "x[[i]]": lambda t, i: t[[i]], "x[i:]": lambda t, i: t[i:],
    "x[i] = 5": lambda t, i: (lambda u: (u.__setitem__(i, 5.0), u)[1])(t.clone()),
}


def attempt(claim, name, operation):
    try:
        result = operation()
    except (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError) as error:
        if isinstance(error, getattr(torch, "AcceleratorError", ())):
            raise
        print(f"attack: {claim}: {name}: {type(error).__name__}: {str(error).splitlines()[0]:.110}")
        return None
    torch.cuda.synchronize(0)
    torch.cuda.synchronize(1)
    return result


claim = "only-a-cpu-index-may-be-mixed"
taken, refused = [], []
for kind, index in there.items():
    for form, subscript in SUBSCRIPTS.items():
        name = f"{form} with {kind} index"
        truth = attempt(claim, name + ", all on CPU", lambda: subscript(host, index.cpu()))
        if truth is None:
            continue
        got = attempt(claim, name + ", index on cuda:1", lambda: subscript(x, index))
        if got is not None:
            same = torch.equal(got.cpu(), truth)
            print(f"attack: {claim}: {name}, index on cuda:1: ACCEPTED, right {same}")
            taken.append(name)
        got = attempt(claim, name + ", index on CPU", lambda: subscript(x, index.cpu()))
        if got is None or not torch.equal(got.cpu(), truth):
            refused.append(name)
i, v = torch.tensor([2, 0]), torch.ones(2, 3, device="cuda:0")
for name, operation in {
    "index_select": lambda: x.index_select(0, i), "gather": lambda: x.gather(0, i.view(2, 1)), "take": lambda: x.take(i),
    "embedding": lambda: torch.nn.functional.embedding(i, x), "scatter_": lambda: x.clone().scatter_(0, i.view(2, 1), 1.0),
    "index_add_": lambda: x.clone().index_add_(0, i, v), "index_copy_": lambda: x.clone().index_copy_(0, i, v),
    "index_fill_": lambda: x.clone().index_fill_(0, i, 1.0), "index_put_": lambda: x.clone().index_put_((i,), v),
    "index_put_ accumulate": lambda: x.clone().index_put_((i,), v, accumulate=True),
    "index_put_ value on CPU": lambda: x.clone().index_put_((i,), v.cpu()),
    "x[cpu, gpu index]": lambda: x[i, torch.tensor([1, 2], device="cuda:0")],
    "take_along_dim": lambda: x.take_along_dim(i.view(2, 1), 0), "masked_select": lambda: x.masked_select(host > 3),
}.items():
    got = attempt(claim, f"{name} with a CPU index", operation)
    if got is not None:
        print(f"attack: {claim}: {name} with a CPU index: ACCEPTED")
word = "REFUTED" if taken or refused else "NOT REFUTED"
print(f"verdict: {word} only-a-cpu-index-may-be-mixed: other GPU's index taken by {taken}; CPU index refused by {refused}")
