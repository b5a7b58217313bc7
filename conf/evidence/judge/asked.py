"""Whether a claim is for who asks: with which PyTorch, on which GPU, and on how many.

Who asks names a GPU as PyTorch does, by a part of that, or by its compute capability (sm_90).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from evidence.judge.scope import Scope
from evidence.records.versions import release


class AskedError(ValueError):
    """What cannot be looked up as it was asked; the message says why, in one sentence."""


class Asked(Struct, frozen=True):
    """Who asks; what is empty, or 0, is left open.

    ``torch`` is a version (2.14.1), ``gpus`` how many there are; ``gpu`` is what was asked for,
    ``models`` are the known ones that it may be, ``capability`` theirs (9.0).
    """

    torch: str = ""
    gpu: str = ""
    gpus: int = 0
    capability: str = ""
    models: frozenset[str] = frozenset()

    def __str__(self) -> str:
        """What was asked for."""
        torch, gpus = f"torch {self.torch}", f"{self.gpus} GPU"
        told = [self.gpu, torch * bool(self.torch), gpus * bool(self.gpus)]
        return ", ".join(filter(None, told))

    def missing(self, scope: str) -> Iterator[str]:
        """The conditions of a scope that do not hold for who asks."""
        here: Any = self
        for part in Scope(scope).conditions:
            told: str | int = self.gpu
            if part.startswith("torch"):
                told = self.torch
            elif part.startswith("gpus"):
                told = self.gpus
            holds = not told or Scope(part).holds_on(here)
            if told and part.startswith("gpu "):
                models = part.partition("==")[2].strip().split(" or ")
                holds = bool(self.models) and self.models.issubset(models)
            if not holds:
                yield part


def words_of(gpu: str) -> frozenset[str]:
    """The words of a GPU's name that tell it from others."""
    return frozenset(re.findall(r"[a-z0-9]+", gpu.lower())) - {"nvidia", "geforce"}


def who_asks(
    user: Mapping[str, Any],
    models: Collection[str],
    capabilities: Mapping[str, Sequence[str]],
) -> Asked:
    """Who asks, by what is given of ``torch``, ``gpu`` and ``gpus``.

    :param models: all models that are known by the name that PyTorch gives them
    :param capabilities: short names of models, by their compute capability
    :raises AskedError: when it names no version, or a GPU that is not known
    """
    if user["torch"] and release(user["torch"]) == (0, 0):
        raise AskedError("That is no version of PyTorch, such as 2.14.")
    words, number = words_of(user["gpu"]), re.fullmatch(r"sm_(\d+)(\d)", user["gpu"])
    known = [(words_of(name), sm) for sm, own in capabilities.items() for name in own]
    fitting = [(len(name), sm) for name, sm in known if name <= words]
    if number:
        fitting = [(0, ".".join(number.groups()))]
    if words and not fitting:
        raise AskedError(
            "No NVIDIA GPU of this name is known here: leave it out, or say sm_75."
        )
    fits = frozenset(model for model in models if words and words <= words_of(model))
    return Asked(**user, capability=max(fitting, default=(0, ""))[1], models=fits)
