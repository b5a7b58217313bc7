"""Whether a claim is for who asks: with which PyTorch, on which GPU, and on how many.

Who asks names a GPU as PyTorch does, by a part of that, or by its compute capability (sm_90).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from evidence.judge.scope import Scope
from evidence.records.model import Builder

#: A version of PyTorch, or nothing.
VERSION = r"^(\d+\.\d+[\w.+-]{0,90})?$"
#: With what a condition of a scope begins: torch, gpus, or gpu and sm for the model.
KIND = re.compile(r"[a-z]+")


class AskedError(ValueError):
    """What cannot be looked up as it was asked; the message says why, without a period."""


class User(Struct, frozen=True):
    """Who asks: with which PyTorch, GPU, and how many; what is empty, or 0, is left open."""

    torch: Annotated[str, Meta(pattern=VERSION, examples=["2.14.1"])] = ""
    gpu: Annotated[str, Meta(max_length=100, examples=["NVIDIA H200", "sm_90"])] = ""
    gpus: Annotated[int, Meta(ge=0, description="How many there are")] = 0


def missing(scope: str, builder: Builder) -> list[str]:
    """The conditions of a scope that do not hold on a builder, as far as that is known."""
    known = {"torch": builder.torch, "gpus": builder.gpus}
    parts = Scope(scope).conditions
    lacks = [part for part in parts if not Scope(part).holds_on(builder)]
    return [part for part in lacks if known.get(KIND.findall(part)[0], builder.gpu)]


def words_of(gpu: str) -> frozenset[str]:
    """The words of a GPU's name that tell it from others."""
    return frozenset(re.findall(r"[a-z0-9]+", gpu.lower())) - {"nvidia", "geforce"}


def who_asks(user: User, gpus: Mapping[str, Any]) -> Builder:
    """Who asks, by what is told: the GPU has its whole name if it can be no other.

    :param gpus: what ``gpus.json`` holds: ``models`` by the name that PyTorch gives them, and short
        names by ``capabilities``
    :raises AskedError: when it names a GPU that is not known
    """
    words, capabilities = words_of(user.gpu), gpus["capabilities"]
    known = {name: sm for sm, names in capabilities.items() for name in names}
    known |= {f"sm_{sm.replace('.', '')}": sm for sm in capabilities}
    fitting = [name for name in known if words_of(name) <= words]
    if words and not fitting:
        raise AskedError("No such NVIDIA GPU is known: leave it out, or say sm_75")
    models = [model for model in gpus["models"] if words and words <= words_of(model)]
    gpu = models[0] if len(models) == 1 else user.gpu
    capability = known.get(max(fitting, key=len, default=""), "")
    return Builder(gpu=gpu, torch=user.torch, gpus=user.gpus, capability=capability)
