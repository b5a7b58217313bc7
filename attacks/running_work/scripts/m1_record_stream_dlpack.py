"""Page: execution/stream_memory.md. "Keep it until the stream it was made in waits for the use, or call `record_stream` before you
delete it." "`record_stream` prevents this".
Attack: record_stream on a tensor that came back through DLPack (a library returned it; both pages advise DLPack and
record_stream), on one from __cuda_array_interface__, on a view, on a Parameter, and on the original (control), then deleted while
a held side stream has yet to read it. Refuted if the memory is reused and the side stream's sum wrong although record_stream was
called before the deletion.
"""
import torch

side = torch.cuda.Stream()
COUNT = 2**20
WAYS = {
    "original": lambda t: t, "dlpack": lambda t: torch.from_dlpack(t), "capsule": lambda t: torch.utils.dlpack.from_dlpack(t.__dlpack__()),
    "view": lambda t: t.view(2, -1)[1:], "detach": lambda t: t.detach(), "parameter": lambda t: torch.nn.Parameter(t),
    "view as int": lambda t: t.view(torch.int32),
}


def attempt(way):
    torch.cuda.synchronize(); torch.cuda.empty_cache()
    made = torch.ones(COUNT, device="cuda")
    torch.cuda.synchronize()
    x = WAYS[way](made)
    address = made.data_ptr()
    with torch.cuda.stream(side):
        torch.cuda._sleep(20_000_000)
        total = (made.detach() * 1.0).sum()
    x.record_stream(side)
    del x, made
    new = torch.full((COUNT,), 5.0, device="cuda")
    reused = new.data_ptr() == address
    torch.cuda.synchronize()
    return reused, total.item() != COUNT


bad = {}
for way in WAYS:
    attempt(way)
    reused, wrong = map(sum, zip(*(attempt(way) for _ in range(15))))
    print(f"record_stream on {way}: reused {reused} of 15, sum wrong {wrong} of 15")
    if wrong:
        bad[way] = wrong
if "original" in bad:
    raise RuntimeError("control: record_stream on the original did nothing")
print(f"REFUTED: record_stream before the deletion did nothing for {bad}" if bad else f"NOT REFUTED: {list(WAYS)}")
