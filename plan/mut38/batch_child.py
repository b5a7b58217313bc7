"""What runs in the process of a mutant: the engine's child, which may share its GPU."""

import hashlib

from evidence.measure import child


def run(folder, script, source, gpus, cores):
    """Run an example as the engine does; other mutants may use the GPU at the same time."""
    child.occupied = lambda gpus: ""
    child.run_example(folder, script, source, gpus, cores)


def digest(text):
    """A short name of a script's text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]
