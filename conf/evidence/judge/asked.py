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

#: How a condition of a scope begins, and the attribute of :class:`Asked` that it is about.
SUBJECTS = {"torch": "torch", "gpus>": "gpus"}


class AskedError(ValueError):
    """A version or a GPU that is not known; the message says so in one sentence."""


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

    def missing(self, scope: str) -> Iterator[str]:
        """The conditions of a scope that do not hold for who asks."""
        here: Any = self
        for part in Scope(scope).conditions:
            if part.startswith("gpu "):
                models = part.partition("==")[2].strip().split(" or ")
                holds = bool(self.models) and self.models.issubset(models)
            else:
                holds = Scope(part).holds_on(here)
            if getattr(self, SUBJECTS.get(part[:5], "gpu")) and not holds:
                yield part

    def told(self, conditions: Sequence[str]) -> str:
        """What was asked for, of that which conditions are about."""
        texts = {"torch": f"torch {self.torch}", "gpus": f"{self.gpus} GPU"}
        subjects = dict.fromkeys(SUBJECTS.get(part[:5], "gpu") for part in conditions)
        return ", ".join(texts.get(subject, self.gpu) for subject in subjects)


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
        error = (
            "This site knows no such GPU: give its compute capability, such as sm_75."
        )
        raise AskedError(error)
    return Asked(
        **user,
        capability=max(fitting, default=(0, ""))[1],
        models=frozenset(m for m in models if words and words <= words_of(m)),
    )
