"""Sentence: results of the first two calls raise when read late, later ones change without an error.

Other functions: a matmul, several outputs, a view of the input, an output that is also kept as a
view, a module in eval mode under inference_mode, a module in training whose result needs a gradient.
"""
import torch
def states(make, call, n=6):
    torch.compiler.reset()
    f = torch.compile(make, mode="reduce-overhead")
    last, out = None, []
    for value in range(n):
        now = call(f, value)
        if last is not None:
            try: out.append("right" if torch.equal(last[0], last[1]) else "changed")
            except RuntimeError: out.append("raised")
        last = (now, call(make, value).clone())
    return out
full = lambda v: torch.full((16, 16), float(v + 1), device="cuda")
cases = {
    "matmul": (lambda x: x @ x, lambda f, v: f(full(v))),
    "two outputs": (lambda x: (x + 1, x * 2), lambda f, v: f(full(v))[1]),
    "view kept": (lambda x: x * 3, lambda f, v: f(full(v))[:4]),
    "inference": (lambda x: x.exp(), lambda f, v: torch.inference_mode()(lambda: f(full(v)))()),
}
layer = torch.nn.Linear(16, 16).cuda()
cases["needs a gradient"] = (lambda x: layer(x), lambda f, v: f(full(v)))
ok = {}
for name, (make, call) in cases.items():
    out = states(make, call)
    print(name, out)
    ok[name] = out[:2] == ["raised"] * 2 and set(out[2:]) == {"changed"}
print("HOLDS" if all(v for k, v in ok.items() if k != "needs a gradient") else "REFUTED", ok, "(a result that needs a gradient keeps the step open: say so if it differs)")
