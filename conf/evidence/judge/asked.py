"""Whether a claim is for who asks: with which PyTorch, on which GPU, and on how many.

Who asks names a GPU as PyTorch does, by a part of that, or by its compute capability (sm_90).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from evidence.judge.scope import Scope
from evidence.records.versions import release


class AskedError(ValueError):
    """What cannot be looked up as it was asked; the message says why, in one sentence."""


class User(Struct, frozen=True):
    """Who asks: with which PyTorch, GPU, and how many; what is empty, or 0, is left open."""

    torch: Annotated[str, Meta(max_length=100, examples=["2.14.1"])] = ""
    gpu: Annotated[str, Meta(max_length=100, examples=["NVIDIA H200", "sm_90"])] = ""
    gpus: Annotated[int, Meta(ge=0, description="How many there are")] = 0


class Asked(User, frozen=True):
    """Who asks, with what is known of the GPU: its model's whole name, if it can be no other.

    ``capability`` is that of the GPU (9.0).
    """

    capability: str = ""

    def missing(self, scope: str) -> list[str]:
        """The conditions of a scope that do not hold for who asks."""
        here: Any = self
        told = {
            "torch": self.torch,
            "gpus": self.gpus,
            "gpu ": self.gpu,
            "sm": self.gpu,
        }
        left_open = tuple(kind for kind in told if not told[kind])
        parts = Scope(scope).conditions
        asked = [part for part in parts if not part.startswith(left_open)]
        return [part for part in asked if not Scope(part).holds_on(here)]


def words_of(gpu: str) -> frozenset[str]:
    """The words of a GPU's name that tell it from others."""
    return frozenset(re.findall(r"[a-z0-9]+", gpu.lower())) - {"nvidia", "geforce"}


def who_asks(user: User, gpus: Mapping[str, Any]) -> Asked:
    """Who asks, by what is told.

    :param gpus: what ``gpus.json`` holds: ``models`` by the name that PyTorch gives them, and short
        names by ``capabilities``
    :raises AskedError: when it names no version, or a GPU that is not known
    """
    if user.torch and release(user.torch) == (0, 0):
        raise AskedError("That is no version of PyTorch, such as 2.14.")
    words, capabilities = words_of(user.gpu), gpus["capabilities"]
    if not words:
        return Asked(user.torch, user.gpu, user.gpus)
    known = {name: sm for sm, names in capabilities.items() for name in names}
    known |= {f"sm_{sm.replace('.', '')}": sm for sm in capabilities}
    fitting = [name for name in known if words_of(name) <= words]
    if not fitting:
        known_as = "No NVIDIA GPU of this name is known here"
        raise AskedError(f"{known_as}: leave it out, or say sm_75.")
    models = [model for model in gpus["models"] if words <= words_of(model)]
    gpu = models[0] if len(models) == 1 else user.gpu
    return Asked(user.torch, gpu, user.gpus, known[max(fitting, key=len)])
