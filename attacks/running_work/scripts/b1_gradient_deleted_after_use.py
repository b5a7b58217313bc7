"""Page: execution/backward_streams.md. "Treat `backward()` like any other operation: the stream in which you call it may use the
gradients right away".
Attack: the result of any other operation belongs to the stream that called it and may be dropped after its use. Forward in side,
backward() in the current stream, which is held and then sums the gradient; x.grad = None (zero_grad); the side stream makes a
tensor (control: forward in the current stream). autograd.grad as well. Refuted if the sum of the gradients, used in the calling
stream only, is wrong.
"""
import torch

here, side = torch.cuda.current_stream(), torch.cuda.Stream()
COUNT = 2**20


def attempt(forward_in, entry):
    torch.cuda.synchronize(); torch.cuda.empty_cache()
    x = torch.ones(COUNT, device="cuda", requires_grad=True)
    torch.cuda.synchronize()
    with torch.cuda.stream(forward_in):
        loss = (3 * x).sum()
    here.wait_stream(side)
    if entry == "backward":
        loss.backward()
        grad = x.grad
    else:
        grad, = torch.autograd.grad(loss, x)
    torch.cuda._sleep(20_000_000)
    total = grad.sum()  # in the stream that called backward
    address = grad.data_ptr()
    del grad, loss
    x.grad = None  # as optimizer.zero_grad() does
    with torch.cuda.stream(side):  # the next step
        new = [torch.full((COUNT,), 7.0, device="cuda") for _ in range(2)]
    reused = address in [n.data_ptr() for n in new]
    torch.cuda.synchronize()
    return reused, total.item() != 3 * COUNT


found = {}
for name, stream in {"forward there": side, "forward here": here}.items():
    for entry in ("backward", "grad"):
        attempt(stream, entry)
        reused, wrong = map(sum, zip(*(attempt(stream, entry) for _ in range(15))))
        found[name, entry] = wrong
        print(f"{name}, {entry}: gradient's memory reused {reused} of 15, sum wrong {wrong} of 15")
if found["forward here", "backward"] or found["forward here", "grad"]:
    raise RuntimeError("control failed")
bad = {k: v for k, v in found.items() if v}
print(f"REFUTED: gradients used in the calling stream were overwritten by the forward's stream after zero_grad: {bad}" if bad
      else "NOT REFUTED: gradients dropped after their use in the calling stream")
