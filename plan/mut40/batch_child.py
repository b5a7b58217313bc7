"""What runs in the process of a mutant: the engine's child, which may share its GPU."""

import os

from evidence.measure import child


def run(folder, script, source, gpus, cores):
    """Run an example as the engine does; other mutants may use the GPU at the same time."""
    base = int(os.environ.get("BASE", "0"))
    gpus = tuple(str(int(gpu) + base) for gpu in gpus)
    child.occupied = lambda gpus: ""
    child.run_example(folder, script, source, gpus, cores)
