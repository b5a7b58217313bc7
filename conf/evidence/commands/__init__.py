"""The commands of ``python -m evidence``, one module each: here measuring meets judging."""

from __future__ import annotations


class CommandError(Exception):
    """A command that cannot be carried out as it was given; the message says why."""
