"""Page: execution/other_streams.md. "If a tensor comes through DLPack, name the stream that will use it: then the producer makes that
stream wait. Without a stream, nothing waits." / "Right: the producer is told which stream will use the tensor."
Attack: the tensor is written in a held stream that is not the current one when the capsule is made: (a) written in side, capsule for
third made in the default stream; (b) the same with the reader itself current; (c) control: made in the writer's block. And without a
stream named: __dlpack__(stream=None), which the standard calls the legacy default stream, from the writer's block, used in the default
stream. Refuted if (a) or (b) is wrong although the stream was named, or if stream=None waits.
"""
import torch

writer, reader, here = torch.cuda.Stream(), torch.cuda.Stream(), torch.cuda.current_stream()
x = torch.zeros(2**20, device="cuda")


def write():
    with torch.cuda.stream(writer):
        torch.cuda._sleep(20_000_000)
        x.fill_(1)


def made_in_default():
    write()
    capsule = x.__dlpack__(stream=reader.cuda_stream)
    with torch.cuda.stream(reader):
        return torch.from_dlpack(capsule).sum()


def made_in_the_reader():
    write()
    with torch.cuda.stream(reader):
        return torch.from_dlpack(x.__dlpack__(stream=reader.cuda_stream)).sum()


def made_in_the_writer():
    write()
    with torch.cuda.stream(writer):
        capsule = x.__dlpack__(stream=reader.cuda_stream)
    with torch.cuda.stream(reader):
        return torch.from_dlpack(capsule).sum()


def none_in_the_writer():
    write()
    with torch.cuda.stream(writer):
        capsule = x.__dlpack__(stream=None)
    return torch.from_dlpack(capsule).sum()


def not_named():
    write()
    with torch.cuda.stream(writer):
        capsule = x.__dlpack__()
    return torch.from_dlpack(capsule).sum()


def is_wrong(way):
    torch.cuda.synchronize(); x.zero_(); torch.cuda.synchronize()
    total = way()
    torch.cuda.synchronize()
    return total.item() != x.numel()


wrong = {}
for way in (made_in_default, made_in_the_reader, made_in_the_writer, none_in_the_writer, not_named):
    is_wrong(way)
    wrong[way.__name__] = sum(is_wrong(way) for _ in range(15))
print("wrong of 15:", wrong)
if wrong["made_in_the_writer"] or wrong["not_named"] != 15:
    raise RuntimeError("controls failed")
bad = [f"{n}: the named stream did not wait for the writer, wrong in {wrong[n]} of 15" for n in ("made_in_default", "made_in_the_reader") if wrong[n]]
if wrong["none_in_the_writer"] == 0:
    bad.append("stream=None: the default stream did wait")
print(f"REFUTED: {bad}" if bad else "NOT REFUTED: capsules made in three streams, and stream=None")
