"""Claims copy-between-gpus-waits-for-its-source and -its-target: the scripts copied only one
contiguous int64 tensor of 8 MiB with copy_.

Attack: copies that run as kernels or might need a temporary: transposed, gaps, expanded,
broadcast, dtype changes, conj and neg views, bool, bfloat16, one element, an odd byte slice,
64 MiB; _foreach_copy_ and slice assignment; both directions; source, target or both held.

Refuted if a kernel queued in the target's current stream after the copy sees old data, or one
queued there before the copy sees new data, or a write to the source queued after the copy in
the source's current stream arrives in the copy.
"""
import torch

HOLD = 10_000_000  # about 5 ms


def sync():
    torch.cuda.synchronize(0)
    torch.cuda.synchronize(1)


def hold(device):
    with torch.cuda.device(device):
        torch.cuda._sleep(HOLD)
        return torch.cuda.current_stream().record_event()


_same = lambda t: t
def case(dtype, view=_same, shape=(1024, 1024), into=None, dview=None):
    def make(src, dst):
        x = torch.zeros(shape, dtype=dtype, device=src)
        seen = view(x)
        y = torch.zeros(shape, dtype=into or dtype, device=dst)
        y = dview(y) if dview else torch.zeros(seen.shape, dtype=into or dtype, device=dst)
        return x, seen, y
    return make


f, c = torch.float32, torch.complex64
CASES = {
    "contiguous 4 MiB": case(f),
    "one element": case(f, shape=(1,)),
    "64 MiB": case(f, shape=(4096, 4096)),
    "transposed source": case(f, lambda t: t.T),
    "transposed target": case(f, dview=lambda t: t.T),
    "gaps": case(f, lambda t: t[:, ::3]),
    "gaps in target": case(f, lambda t: t[:, ::3], dview=lambda t: t[:, ::3]),
    "expanded": case(f, lambda t: t[:1].expand(1024, 1024)),
    "broadcast into target": case(f, lambda t: t[:1], dview=_same),
    "float32 to float64": case(f, into=torch.float64),
    "float64 transposed to bfloat16": case(torch.float64, lambda t: t.T, into=torch.bfloat16),
    "conj view": case(c, lambda t: t.conj()),
    "conj into conj": case(c, lambda t: t.conj(), dview=lambda t: t.conj()),
    "real part": case(c, lambda t: t.real, into=f),
    "bool": case(torch.bool),
    "odd bytes": case(torch.uint8, lambda t: t.view(-1)[1:99998]),
    "slice to slice": case(f, lambda t: t[5:500, 3:301], dview=lambda t: t[7:502, 11:309]),
}
SPELLINGS = {
    "copy_": lambda y, x, flag: y.copy_(x, non_blocking=flag),
    "_foreach_copy_": lambda y, x, flag: torch._foreach_copy_([y], [x], non_blocking=flag),
    "setitem": lambda y, x, flag: y.__setitem__(Ellipsis, x),
}


def total(t):  # of copies seen by a kernel in the current stream
    return torch.view_as_real(t.resolve_conj()).double().sum() if t.is_complex() else t.double().sum()


def run(make, spelling, src, dst, which, flag):
    x, seen, y = make(src, dst)
    expected = y.numel()
    sync()
    if "source" in which:
        late = hold(src)
    if "target" in which:
        late = hold(dst)
    before = total(y)
    x.fill_(1)
    SPELLINGS[spelling](y, seen, flag)
    x.fill_(0)  # too early if the copy has not read it yet
    after = total(y)
    host = late.query()
    sync()
    return before.item() == 0, after.item() == expected, host


bad, waited, tries = [], 0, 0
for name, make in CASES.items():
    for spelling in SPELLINGS:
        if spelling == "_foreach_copy_" and name in ("broadcast into target", "conj view", "conj into conj"):
            continue  # takes neither other sizes nor lazy conjugates
        for src, dst in (("cuda:0", "cuda:1"), ("cuda:1", "cuda:0")):
            run(make, spelling, src, dst, "source", False)  # loads kernels
            for which in ("source", "target", "source and target"):
                flag = which != "target"
                old, new, host = run(make, spelling, src, dst, which, flag)
                tries += 1
                waited += host
                if host:
                    print(f"attack: copy-between-gpus-does-not-hold-the-host: {name}, {spelling}, {src}->{dst}, {which} held: host waited")
                if not (old and new):
                    bad.append(f"{name}/{spelling}/{src}/{which}: before {old} after {new}")
    print(f"attack: copy-between-gpus-waits-for-its-source: {name}: wrong so far {len(bad)} of {tries}, host waited {waited}")
for line in bad:
    print(f"attack: copy-between-gpus-waits-for-its-source: {line}")
word = "REFUTED" if bad else "NOT REFUTED"
print(f"verdict: {word} copy-between-gpus-waits-for-its-source/-its-target ({len(bad)} of {tries}; host waited in {waited})")
