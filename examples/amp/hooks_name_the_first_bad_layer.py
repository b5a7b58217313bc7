"""
Hooks name the first bad layer
==============================

My loss is NaN: which layer made it? A hook on each module stops at the first one whose result is
not finite, and tells whether its input or its weights were to blame.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")


def is_finite(value):
    if isinstance(value, (tuple, list)):
        return all(map(is_finite, value))
    return not isinstance(value, torch.Tensor) or bool(value.isfinite().all())


def watch(model):
    names = {module: name for name, module in model.named_modules()}

    def look(module, inputs, named_inputs, output):  # this waits for the GPU
        if not is_finite(output):
            weights = all(map(is_finite, module.parameters()))
            taken = is_finite([*inputs, *named_inputs.values()])
            cause = "its own" if weights and taken else "weights" if taken else "input"
            raise FloatingPointError(f"{names[module]}: {cause}")

    layers = (module for module in names if not [*module.children()])
    return [layer.register_forward_hook(look, with_kwargs=True) for layer in layers]


# %%
# A model, and four mistakes for each of its blocks: weights that overflow in FP16, weights that
# are NaN, also of a layer that returns a tuple, and an infinite input, which is given by name.

torch.manual_seed(0)
DEPTH, WIDTH = 8, 64


class Block(torch.nn.Module):
    """A norm, a linear and a recurrent layer, with a residual connection."""

    def __init__(self):
        super().__init__()
        self.norm, self.offset = torch.nn.LayerNorm(WIDTH), 0.0
        self.linear = torch.nn.Linear(WIDTH, WIDTH)
        self.lstm = torch.nn.LSTM(WIDTH, WIDTH)

    def forward(self, x):
        """Add what the layers make of the input."""
        return x + self.lstm(self.linear(input=self.norm(x) + self.offset))[0]


inputs = torch.randn(32, WIDTH, device=device)
MISTAKES = {"overflow": "linear: its own", "weight": "linear: weights"}
MISTAKES |= {"recurrent weight": "lstm: weights", "input": "linear: input"}


def spoil(block, mistake):
    layer = block.lstm if mistake == "recurrent weight" else block.linear
    if mistake == "input":
        block.offset = torch.inf
    else:
        next(layer.parameters()).data *= 1e5 if mistake == "overflow" else torch.nan


def build():
    return torch.nn.Sequential(*(Block() for _ in range(DEPTH))).to(device)


@torch.autocast(device.type, torch.float16)
def run(model):
    return model(inputs).square().mean()


# %%
# What do the hooks say?

named = explained = 0
for mistake, told in MISTAKES.items():
    for place in range(DEPTH):
        model = build()
        spoil(model[place], mistake)
        watch(model)
        try:
            run(model)
        except FloatingPointError as error:
            layer, why = str(error).split(": ")
            named += told.startswith(layer.removeprefix(f"{place}."))
            explained += told.endswith(why)
print(f"{named} named, {explained} explained")

# %%
# A sound model passes. A mistake in its first block makes every later layer look bad.

sound = build()
before = run(sound)
hooks = watch(sound)
watched = run(sound)
for hook in hooks:
    hook.remove()
seen = []
for module in sound.modules():
    if not [*module.children()]:
        module.register_forward_hook(lambda *given: seen.append(is_finite(given[2])))
spoil(sound[0], "overflow")
run(sound)

measured = {
    "tries": len(MISTAKES) * DEPTH,
    "named": named,
    "explained": explained,
    "sound_passes": torch.equal(watched, before),
    "layers": len(seen),
    "bad_layers": len(seen) - sum(seen),
}
