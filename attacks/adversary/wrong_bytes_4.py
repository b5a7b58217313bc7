"""wrong_bytes.md, line 559.
Sentence: The allocator of pinned memory does for each copy what the allocator of the GPU's memory does only for streams that it was told of.
Attack: Other copies than to() and copy_ of a contiguous tensor: with a cast, of a dtype view, a transposed one, an expanded one, _foreach_copy_, index_put_, set_() on the storage, as_strided, in a side stream; the pinned source is dropped behind a held stream. And a kernel that takes a pinned 0-dim tensor (no copy).
Expect: Not refuted for copies; a view by set_ or as_strided keeps the context of the storage.
Refuted if: the next pinned tensor's ones arrive on the GPU in any try of any route
"""
import json, time
import torch

SENTENCE = "The allocator of pinned memory does for each copy what the allocator of the GPU's memory does only for streams that it was told of."


def show(**row):
    print(json.dumps(row, default=str), flush=True)

def main():
    count = 2**20
    gpu = torch.zeros(count, device="cuda")
    half = torch.zeros(count, device="cuda", dtype=torch.float16)
    side, here = torch.cuda.Stream(), torch.cuda.current_stream()

    def set_view(t):
        v = torch.empty(0)
        return v.set_(t.untyped_storage(), 1024, (count - 1024,))

    routes = {"to": lambda t: t.to("cuda", non_blocking=True), "cast": lambda t: t.to("cuda", torch.float16, non_blocking=True), "cast_copy_": lambda t: half.copy_(t, non_blocking=True),
              "dtype_view": lambda t: t.view(torch.uint8)[4096:].to("cuda", non_blocking=True), "transposed": lambda t: t.view(1024, 1024).t().to("cuda", non_blocking=True),
              "gaps": lambda t: t[::2].to("cuda", non_blocking=True), "foreach": lambda t: (torch._foreach_copy_([gpu], [t], True), gpu)[1], "foreach_parts": lambda t: (torch._foreach_copy_([gpu[:512], gpu[512:1024]], [t[512:1024], t[:512]], True), gpu[:1024])[1],
              "set_": lambda t: set_view(t).to("cuda", non_blocking=True), "as_strided": lambda t: t.as_strided((1000,), (1,), 2000).to("cuda", non_blocking=True), "unflatten": lambda t: t.unflatten(0, (2, -1))[1].cuda(non_blocking=True),
              "parameter": lambda t: torch.nn.Parameter(t[10:]).to("cuda", non_blocking=True), "split": lambda t: t.split(1000)[5].to("cuda", non_blocking=True)}
    rows, bad = {}, 0
    for name, route in routes.items():
        for stream, where in ((here, "here"), (side, "side")):
            wrong = 0
            for cycles in (1000, *[10_000_000] * 3):
                gpu.zero_(), half.zero_()
                host = torch.zeros(count, pin_memory=True)
                torch.cuda.synchronize()
                try:
                    with torch.cuda.stream(stream):
                        torch.cuda._sleep(cycles)
                        got = route(host)
                        del host
                        other = torch.ones(count, pin_memory=True)
                    torch.cuda.synchronize()
                    wrong += cycles > 1000 and bool((got.detach() != 0).any())
                    del other
                except Exception as error:
                    wrong = repr(error)[:80]
                    torch.cuda.synchronize()
                    break
            rows[f"{name} {where}"] = wrong
            bad += wrong if isinstance(wrong, int) else 0
    return bad > 0, rows


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
