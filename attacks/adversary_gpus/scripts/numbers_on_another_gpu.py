"""Claim only-a-cpu-number-may-be-mixed: "A tensor without dimensions may be added to one on a
GPU if it is on the CPU. On another GPU, it may not" (under "Can one operation use tensors on
two GPUs? No").

Attack: 0-dimensional tensors of another GPU in operations that read such a number: fill_,
masked_fill_, where, index_fill_, setitem, alpha=, clamp, linspace, full; and additions in
other orders and places; CPU numbers where they may NOT be added (foreach, two at once, out).

Refuted (narrow) if an addition takes the other GPU's number, or a CPU number's addition raises;
refuted (section) if another operation takes the other GPU's number.
"""
import torch

a = torch.arange(4.0, device="cuda:0")
n1 = torch.tensor(3.0, device="cuda:1")
n0 = n1.to("cuda:0")
c = torch.tensor(3.0)
i1 = torch.tensor(2, device="cuda:1")
mask = a > 1


def put(t, key, value):
    t[key] = value
    return t


torch.zeros(1, device="cuda:0").to("cuda:1")  # peer access, both directions
OTHER = {
    "add alpha=": lambda: torch.add(a, a, alpha=n1),
    "add_ value": lambda: a.clone().add_(n1),
    "number there + a": lambda: n1 + a,
    "0-dim + 0-dim": lambda: n0 + n1,
    "float(number) + a": lambda: a + float(n1),
    "_foreach_add number there": lambda: torch._foreach_add([a], n1),
    "_foreach_mul number there": lambda: torch._foreach_mul([a], n1),
    "fill_": lambda: a.clone().fill_(n1),
    "masked_fill_": lambda: a.clone().masked_fill_(mask, n1),
    "masked_fill": lambda: a.masked_fill(mask, n1),
    "index_fill_": lambda: a.clone().index_fill_(0, torch.tensor([0], device="cuda:0"), n1),
    "where": lambda: torch.where(mask, a, n1),
    "where number first": lambda: torch.where(mask, n1, a),
    "where condition": lambda: torch.where(n1 > 0, a, a),
    "setitem int": lambda: put(a.clone(), 0, n1),
    "setitem mask": lambda: put(a.clone(), mask, n1),
    "setitem index": lambda: put(a.clone(), torch.tensor([0, 1], device="cuda:0"), n1),
    "index_put_": lambda: a.clone().index_put_((torch.tensor([0, 1], device="cuda:0"),), n1),
    "pow": lambda: a**n1,
    "mul": lambda: a * n1,
    "eq": lambda: a == n1,
    "clamp": lambda: a.clamp(min=n1),
    "lerp weight": lambda: torch.lerp(a, a, n1),
    "full": lambda: torch.full((2,), n1, device="cuda:0"),
    "full_like": lambda: torch.full_like(a, n1),
    "linspace": lambda: torch.linspace(n0, n1, 3, device="cuda:0"),
    "arange": lambda: torch.arange(n1, device="cuda:0"),
    "scatter_ value": lambda: a.clone().scatter_(0, torch.tensor([0], device="cuda:0"), n1),
    "select": lambda: a.select(0, i1),
    "narrow start": lambda: a.narrow(0, i1, 1),
    "roll": lambda: a.roll(i1),
    "leaky_relu slope": lambda: torch.nn.functional.leaky_relu(a, n1),
    "addcmul value=": lambda: torch.addcmul(a, a, a, value=n1),
    "dropout p": lambda: torch.nn.functional.dropout(a, i1 * 0.0),
    "index_add_ alpha=": lambda: a.clone().index_add_(0, torch.tensor([0], device="cuda:0"), a[:1], alpha=n1),
    "sub other 0-dim": lambda: a - n1,
}
ON_CPU = {
    "a + c": lambda: a + c, "c + a": lambda: c + a, "a.add_(c)": lambda: a.clone().add_(c),
    "add(c, a, out=)": lambda: torch.add(c, a, out=torch.empty_like(a)),
    "c.clone().add_(a[0])": lambda: c.clone().add_(a[0]),
    "add(a, c, alpha=c)": lambda: torch.add(a, c, alpha=c),
    "_foreach_add([a], c)": lambda: torch._foreach_add([a], c),
    "_foreach_add([a], [c])": lambda: torch._foreach_add([a], [c]),
    "addcmul(a, c, c)": lambda: torch.addcmul(a, c, c),
    "addcmul(c, a, a)": lambda: torch.addcmul(c, a, a),
    "c of float64 + a": lambda: c.double() + a,
    "complex c + a": lambda: torch.tensor(1j) + a,
    "one-element, one dimension": lambda: a + torch.tensor([3.0]),
}


def attempt(claim, name, operation):
    try:
        result = operation()
    except (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError) as error:
        if isinstance(error, getattr(torch, "AcceleratorError", ())):
            raise
        print(f"attack: {claim}: {name}: {type(error).__name__}: {str(error).splitlines()[0]:.110}")
        return False
    torch.cuda.synchronize(0)
    torch.cuda.synchronize(1)
    print(f"attack: {claim}: {name}: ACCEPTED {str(result)!s:.110}".replace("\n", " "))
    return True


claim = "only-a-cpu-number-may-be-mixed"
taken = [n for n, f in OTHER.items() if attempt(claim, "number of another GPU, " + n, f)]
refused = [n for n, f in ON_CPU.items() if not attempt(claim, "number of the CPU, " + n, f)]
adds = [n for n in taken if n in ("add alpha=", "add_ value", "number there + a", "0-dim + 0-dim", "_foreach_add number there", "index_add_ alpha=", "sub other 0-dim")]
others = [n for n in taken if n not in adds and n not in ("float(number) + a",)]
operands = [n for n in adds if "alpha" not in n]
word = "REFUTED" if operands else "REFUTED (section: 'No', not the addition itself)" if adds or others else "NOT REFUTED"
print(f"verdict: {word} only-a-cpu-number-may-be-mixed: additions that took it: {adds}; other operations that took it: {others}; CPU numbers refused: {refused}")
