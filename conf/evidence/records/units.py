"""Units by name suffix: how a measured value is written for people, and read in a bound.

Values are kept in SI base units; the last words of a name tell which (``copy_s``,
``pinned_bytes_per_s``, ``link_share``, ``speedup``). A reader sees 5.6 ms, 54 GB/s, 88 %, 7.9×.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from evidence.records.model import Cell, Interval, Plain, Raised, Timing, scalar
from evidence.words import Say

#: Between a number and its unit, so that they are never torn apart at the end of a line.
THIN_SPACE = "\u202f"


@dataclass(frozen=True)
class Unit:
    """A unit of measurement: its spellings with their factors, the largest first."""

    name: str
    scales: Mapping[str, float] = field(default_factory=dict)


_PREFIXES = (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3), ("", 1.0))


def _decimal(base: str, largest: int) -> dict[str, float]:
    return {prefix + base: factor for prefix, factor in _PREFIXES[largest:]}


COUNT = Unit("number")
RATIO = Unit("ratio", {"×": 1.0, "x": 1.0})
SHARE = Unit("share", {"%": 0.01})
SECONDS = Unit("seconds", {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "us": 1e-6, "ns": 1e-9})
HERTZ = Unit("hertz", _decimal("Hz", 2))
FLOPS = Unit("floating-point operations per second", _decimal("FLOP/s", 0))
BANDWIDTH = Unit("bytes per second", _decimal("B/s", 1))
BYTES = Unit("bytes", {"GiB": 2.0**30, "MiB": 2.0**20, "KiB": 2.0**10, "bytes": 1.0})

#: The suffix that decides, longest first.
SUFFIXES: dict[str, Unit] = {
    "_bytes_per_s": BANDWIDTH,
    "_flop_per_s": FLOPS,
    "_bytes": BYTES,
    "_share": SHARE,
    "speedup": RATIO,
    "slowdown": RATIO,
    "_ratio": RATIO,
    "_hz": HERTZ,
    "_s": SECONDS,
}

#: A number without a unit, as a pattern.
NUMBER = r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d[\d_]*)(?:\.\d+)?(?:[eE][+-]?\d+)?"

#: Of a larger size nobody counts the bytes.
LARGE = 16 * 2**20

#: Of more than so much by which a size differs from another, neither.
LARGE_DIFFERENCE = 2**20
_DIFFERENCE = re.compile(r"(?:.*_)?(?:extra|more|less|taken|saved|added|grew)_bytes")

#: Smaller numbers are written with a power of ten.
TINY = 1e-4
#: What a list of types, devices or indices has; and how prose calls the types.
_ITEM = re.compile(
    r"(?:torch\.)?(b?float\d+\w*|complex\d+|u?int\d+|bool|(?:cuda|cpu|meta)(?::\d+)?|\d+)"
)
_CALLED = {"float64": "FP64", "float32": "FP32", "float16": "FP16", "bfloat16": "BF16"}
_POWERS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUFFIX = re.compile(r"(?<=.)_(?:bytes|flop|hz|s)(?:_per_s)?$")
_TYPE = re.compile(r"\b(?:(?:fp|bf|tf)\d+|gpu|ddp)\b")
_QUANTITY = re.compile(rf"({NUMBER})\s*(.*)")


def unit_of(name: str) -> Unit:
    """The unit that a measured name states by its suffix; the suffix alone is a name, too."""
    fitting = (unit for suffix, unit in SUFFIXES.items() if f"_{name}".endswith(suffix))
    return next(fitting, COUNT)


def spoken(names: Collection[str]) -> list[str]:
    """Measured names in words, without a suffix whose unit is written with each value."""
    short = [_SUFFIX.sub("", name) for name in names]
    clear = short if len({*short}) == len(names) else names
    return [_TYPE.sub(lambda kind: kind[0].upper(), n.replace("_", " ")) for n in clear]


def parse_quantity(text: str, unit: Unit) -> float:
    """Read ``2 MiB`` or ``40 GB/s`` or ``1.5`` into base units.

    :raises ValueError: when it is not a number, or its unit does not measure this quantity
    """
    match = _QUANTITY.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text.strip()!r} is not a number")
    number, spelling = float(match[1].replace(",", "")), match[2].strip()
    if not spelling:
        return number
    if spelling not in unit.scales:
        units = ", ".join(unit.scales) or "none"
        raise ValueError(f"{spelling!r} is no unit of a {unit.name} (units: {units})")
    # 57 * 0.01 is 0.5700000000000001, which a share of 0.57 does not reach.
    return float(f"{number * unit.scales[spelling]:.15g}")


def digits_for(value: float, interval: Interval) -> int:
    """How many significant digits of a value the interval supports: between 2 and 4.

    The last place shown is the first in which the interval's width has a digit, so that its ends
    differ and the value does not seem to stand outside them.
    """
    if interval.width <= 0 or value == 0:
        return 4
    place = math.floor(math.log10(interval.width))
    return max(2, min(4, math.floor(math.log10(abs(value))) - place + 1))


def format_number(
    number: float, unit: Unit, digits: int = 4, *, like: float | None = None
) -> str:
    """Write a number in base units for people.

    :param like: choose the prefix that suits this number instead, so that the two ends of an
        interval are written alike
    """
    if unit is COUNT:
        is_whole = isinstance(number, int)
        return _typeset(f"{number:,}" if is_whole else _significant(number, digits))
    spelling, factor = _scale(abs(number if like is None else like), unit, digits)
    scaled = number / factor
    whole = unit is BYTES and float(scaled).is_integer()
    text = _typeset(f"{int(scaled):,}" if whole else _significant(scaled, digits))
    return f"{text}×" if spelling == "×" else f"{text}{THIN_SPACE}{spelling}"


def format_interval(name: str, timing: Timing) -> str:
    """Write the interval of a timing with an en dash and, once, its unit."""
    interval, unit = timing.interval, unit_of(name)
    digits = digits_for(timing.value, interval)
    low = format_number(interval.low, unit, digits, like=interval.high)
    high = format_number(interval.high, unit, digits)
    return f"{low.rstrip('×').split(THIN_SPACE)[0]}–{high}"


def format_cell(name: str, cell: Cell, digits: int = 4, *, say: Say = str) -> str:
    """Write a measured value for people, with as many digits as its interval allows.

    :param digits: the most that are written of what is no count and no size
    :param say: translates the words
    """
    if isinstance(cell, Raised):
        return str(cell)
    value, unit = scalar(cell), unit_of(name)
    if isinstance(value, str):
        return say(", ").join(listed(value)) or value
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    allowed = digits_for(value, cell.interval) if isinstance(cell, Timing) else 4
    digits = max(digits, 3) if unit is BYTES else digits  # 129 MiB is not 128
    if unit is BYTES and isinstance(cell, Plain) and _needs_all_digits(name, value):
        return f"{int(value):,}{THIN_SPACE}bytes"
    if unit in (SHARE, RATIO) and 0.95 <= value < 1.5:
        digits = max(digits, 3)  # 99.7 % is not all, 1.04× is not nothing
    return format_number(value, unit, min(digits, allowed))


def listed(value: object) -> list[str]:
    """The items of a text that lists types, devices or indices, as prose calls them.

    ``float32 float16`` is FP32, FP16. Empty for every other value, and for a single item.
    """
    text = str(value)
    items = re.sub(r"^\[|\]$|'", "", text).replace(",", " ").split()
    found = [_ITEM.fullmatch(item) for item in items]
    # What has commas reads well; a list of numbers in brackets is a shape.
    is_list = "," not in text or (text[0] == "[" and not items[0].isdecimal())
    if len(items) < 2 or not is_list or not all(found):
        return []
    return [_CALLED.get(match[1], match[1]) for match in found if match]


def spoken_cell(name: str, cell: Cell) -> str:
    """A measured value for a terminal, with its interval: ``5.05× (4.92–5.18×)``."""
    text = spoken_value(name, cell)
    if not isinstance(cell, Timing) or len(cell.median) == 1:
        return text
    return f"{text} ({format_interval(name, cell).replace(THIN_SPACE, ' ')})"


def spoken_value(name: str, cell: Cell) -> str:
    """A measured value for a terminal, on one line: ``5.05×``."""
    return " ".join(format_cell(name, cell).split()) or '""'


def _needs_all_digits(name: str, size: float) -> bool:
    """Whether a size says more than its four digits do: 1,200,128 bytes are not 1,200,000."""
    _, factor = _scale(size, BYTES, 4)
    scaled = size / factor
    limit = LARGE_DIFFERENCE if _DIFFERENCE.fullmatch(name) else LARGE
    return size < limit and float(size).is_integer() and round(scaled, 3) != scaled


def exact(cell: Cell) -> str:
    """A cell with every digit that is kept, to tell it from another."""
    return repr(str(cell) if isinstance(cell, Raised) else scalar(cell))


def _scale(size: float, unit: Unit, digits: int) -> tuple[str, float]:
    # Rounding would otherwise print 1000 ms: a number just under a prefix takes the larger one.
    nearly = 1 - 0.5 * 10**-digits
    scales = list(unit.scales.items())
    fitting = (scale for scale in scales if size >= nearly * scale[1])
    return next(fitting, scales[0 if unit is RATIO else -1])


def _typeset(number: str) -> str:
    """A number as a book has it: −6.0×10⁻⁸."""
    factor, _, power = number.replace("-", "−", number.startswith("-")).partition("e")
    return f"{factor}×10{power.translate(_POWERS)}" if power else factor


def _significant(number: float, digits: int) -> str:
    if number == 0 or not math.isfinite(number):
        return f"{number:g}"
    rounded = Decimal(f"{number:.{digits - 1}e}")
    if abs(float(rounded)) < TINY:
        factor, _, power = f"{rounded:e}".partition("e")
        return f"{factor}e{int(power)}"
    return f"{rounded:,f}"
