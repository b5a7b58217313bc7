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


def watch(model):
    names = {module: name for name, module in model.named_modules()}

    def look(module, inputs, output):  # this waits for the GPU
        if not output.isfinite().all():
            weights = all(p.isfinite().all() for p in module.parameters())
            taken = all(x.isfinite().all() for x in inputs)
            cause = "its own" if weights and taken else "weights" if taken else "input"
            raise FloatingPointError(f"{names[module]}: {cause}")

    layers = (module for module in names if not [*module.children()])
    return [layer.register_forward_hook(look) for layer in layers]


# %%
# A model, and three mistakes that can be planted at each of its linear layers: weights so large
# that the result overflows in FP16, one NaN among the weights, and an infinity in the input.

torch.manual_seed(0)
DEPTH, WIDTH = 8, 64


class Block(torch.nn.Module):
    """A norm, a linear layer and a ReLU, with a residual connection."""

    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(WIDTH)
        self.linear = torch.nn.Linear(WIDTH, WIDTH)
        self.offset = 0.0

    def forward(self, x):
        """Add what the layers make of the input."""
        return x + self.linear(self.norm(x) + self.offset).relu()


inputs = torch.randn(32, WIDTH, device=device)


def overflow(block):
    block.linear.weight.data.mul_(1e5)


def bad_weight(block):
    block.linear.weight.data[0, 0] = torch.nan


def bad_input(block):
    block.offset = torch.inf


MISTAKES = {overflow: "its own", bad_weight: "weights", bad_input: "input"}

# %%
# What do the hooks say?


def build():
    return torch.nn.Sequential(*(Block() for _ in range(DEPTH))).to(device)


def run(model):
    with torch.autocast(device.type, torch.float16):
        return model(inputs).square().mean()


tries = named = explained = 0
for mistake, cause in MISTAKES.items():
    for place in range(DEPTH):
        model = build()
        mistake(model[place])
        watch(model)
        try:
            run(model)
        except FloatingPointError as error:
            name, _, why = str(error).partition(": ")
            named += name == f"{place}.linear"
            explained += why == cause
        tries += 1
print(f"{named} of {tries} named, {explained} explained")

# %%
# A sound model passes. A mistake in its first block makes every later layer look bad.

sound = build()
before = run(sound)
handles = watch(sound)
watched = run(sound)
for handle in handles:
    handle.remove()

seen = []
overflow(sound[0])
for module in sound.modules():
    if not [*module.children()]:
        module.register_forward_hook(lambda *given: seen.append(given[2].isfinite()))
run(sound)

measured = {
    "tries": tries,
    "named": named,
    "explained": explained,
    "sound_passes": torch.equal(watched, before),
    "layers": len(seen),
    "bad_layers": sum(not finite.all() for finite in seen),
}
