"""Claim copies-between-gpus-are-exact: "Copies between GPUs are exact". The script compared
64-bit integers and bytes only (no float, no bool, no complex) and only `.to`.

Attack: random bits (NaN payloads, signalling NaNs, denormals, bools that are not 0 or 1) in
every dtype, in layouts: contiguous, one element, transposed, gaps, gaps into gaps, expanded,
flipped, odd start; lazy conj and neg views into plain, conj and neg targets. Truth: the same
bits read on the host through an integer view of the base.

Refuted if bits differ after a copy without change of dtype. A bool whose byte is not 0 or 1
is listed apart (verdict names it), since it is an odd value; the same copy within a GPU is shown.
"""
import torch

torch.manual_seed(0)
gpus = ["cuda:0", "cuda:1"]
names = ["float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "complex64", "complex128", "complex32",
         "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
LAYOUTS = {
    "contiguous": lambda t: t, "transposed": lambda t: t.transpose(0, 1), "gaps": lambda t: t[:, ::3], "rows": lambda t: t[::2, 1:-1],
    "one element": lambda t: t[3:4, 5:6], "0-dim": lambda t: t[3, 5], "expanded": lambda t: t[:1].expand(t.shape),
    "odd start": lambda t: t.reshape(t.shape[0] * t.shape[1], *t.shape[2:])[1:99_990], "empty": lambda t: t[:0],
}


bad, odd, tries, skipped = [], [], 0, []
for name in names:
    dtype = getattr(torch, name)
    size = torch.empty(0, dtype=dtype).element_size()
    raw = torch.randint(0, 256, (257, 391 * size), dtype=torch.uint8)
    raw_int = raw.view(257, 391, size)  # reference: bytes, laid out by integer indexing only
    for src, dst in (gpus, gpus[::-1]):
        x = raw.to(src).view(dtype)
        for layout, view in LAYOUTS.items():
            truth = view(raw_int).contiguous().view(-1)
            targets = {"to": lambda v: v.to(dst), "copy=True": lambda v: v.to(dst, copy=True),
                       "copy_ into gaps": lambda v: torch.zeros((*v.shape, 2), dtype=torch.uint8, device=dst).new_zeros((*v.shape, 2), dtype=dtype)[..., 0].copy_(v),
                       "within the GPU": lambda v: torch.zeros((*v.shape, 2), dtype=torch.uint8, device=src).new_zeros((*v.shape, 2), dtype=dtype)[..., 0].copy_(v)}
            for way, copy in targets.items():
                try:
                    y = copy(view(x))
                except (RuntimeError, NotImplementedError) as error:
                    if isinstance(error, getattr(torch, "AcceleratorError", ())):
                        raise
                    skipped.append(f"{name}/{layout}/{way}: {str(error).splitlines()[0]:.80}")
                    continue
                # read back by bytes: the whole storage of the copy, laid out on the host
                whole = torch.empty(0, dtype=torch.uint8, device=y.device).set_(y.untyped_storage()).cpu()
                strides = [s * size for s in y.stride()] + [1]
                got = whole.as_strided((*y.shape, size), strides, y.storage_offset() * size).contiguous().view(-1)
                tries += way != "within the GPU"
                if not torch.equal(got, truth):
                    differ = (got != truth).sum().item()
                    line = f"{name}/{layout}/{way}/{src}: {differ} of {truth.numel()} bytes differ"
                    (odd if name == "bool" else bad).append(line)
                    if way == "within the GPU" and name != "bool":
                        bad.pop()
                        print(f"attack: copies-between-gpus-are-exact: control within one GPU differs: {line}")
for line in skipped:
    print(f"attack: copies-between-gpus-are-exact: not possible: {line}")
for line in bad + odd:
    print(f"attack: copies-between-gpus-are-exact: {line}")
# lazy views: numbers without NaN, against the host's own conj and neg
z = torch.randn(300, 200, dtype=torch.complex64)
lazy_bad = []
VIEWS = {"conj": lambda t: t.conj(), "conj.T": lambda t: t.conj().T, "conj gaps": lambda t: t.conj()[:, ::3], "conj.imag (neg)": lambda t: t.conj().imag,
         "neg view": lambda t: t._neg_view(), "conj of neg": lambda t: t._neg_view().conj(), "mH": lambda t: t.mH, "one conj": lambda t: t.conj()[2, 3],
         "real neg": lambda t: t.real._neg_view(), "adjoint imag gaps": lambda t: t.conj().imag[:, ::2]}
TARGETS = {"plain": lambda t: t, "conj": lambda t: t.conj() if t.is_complex() else t, "neg": lambda t: t._neg_view()}
for src, dst in (gpus, gpus[::-1]):
    zs = z.to(src)
    for name, view in VIEWS.items():
        expected = view(z).resolve_conj().resolve_neg().contiguous()
        ways = {"to": lambda v: v.to(dst), "to copy=True": lambda v: v.to(dst, copy=True, non_blocking=True), "cuda": lambda v: v.cuda(int(dst[-1])),
                "_foreach_copy_": lambda v: (lambda u: (torch._foreach_copy_([u], [v]), u)[1])(torch.zeros(v.shape, dtype=v.dtype, device=dst))}
        for target, wrap in TARGETS.items():
            ways[f"copy_ into {target}"] = lambda v, wrap=wrap: wrap(torch.zeros(v.shape, dtype=v.dtype, device=dst)).copy_(v)
            ways[f"copy_ into {target} gaps"] = lambda v, wrap=wrap: wrap(torch.zeros((*v.shape, 3), dtype=v.dtype, device=dst)[..., 1]).copy_(v)
        for way, copy in ways.items():
            y = copy(view(zs))
            got = y.resolve_conj().resolve_neg().contiguous().cpu()  # resolved on the GPU first
            tries += 1
            if not torch.equal(got, expected):
                lazy_bad.append(f"{name}/{way}/{src}")
for line in lazy_bad:
    print(f"attack: copies-between-gpus-are-exact: lazy view arrives wrong: {line}")
between = [line for line in odd if "within the GPU" not in line]
print(f"attack: copies-between-gpus-are-exact: {tries} tries, {len(bad)} wrong bits, {len(between)} odd bools changed between GPUs and {len(odd) - len(between)} within one, {len(lazy_bad)} lazy views wrong")
word = "REFUTED" if bad or between or lazy_bad else "NOT REFUTED"
print(f"verdict: {word} copies-between-gpus-are-exact: bits {len(bad)}, lazy views {len(lazy_bad)}, bools neither 0 nor 1 {len(between)} (of {tries})")
