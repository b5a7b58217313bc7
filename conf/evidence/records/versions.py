"""Versions of PyTorch and of GPUs' capabilities, as numbers."""

from __future__ import annotations

import re


def release(version: str) -> tuple[int, int]:
    """Major and minor number of a version; one that is not known is older than any."""
    match = re.match(r"(\d+)\.(\d+)", version)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def series(version: str) -> str:
    """A version without what changes no behaviour, as in addresses: 2.11; of none it is empty."""
    return ".".join(map(str, release(version))) if version else ""
