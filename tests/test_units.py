"""Values are written for people, and what is written can be read in a bound."""

from __future__ import annotations

import math

import pytest
from evidence.records.model import Interval, Plain, Raised
from evidence.records.units import (
    BANDWIDTH,
    BYTES,
    COUNT,
    FLOPS,
    HERTZ,
    RATIO,
    SECONDS,
    SHARE,
    THIN_SPACE,
    Unit,
    digits_for,
    format_cell,
    format_interval,
    format_number,
    parse_quantity,
    spoken,
    unit_of,
)
from factories import quick, timing
from hypothesis import given
from hypothesis import strategies as st

ALL_UNITS = (COUNT, RATIO, SHARE, SECONDS, HERTZ, FLOPS, BANDWIDTH, BYTES)


def thin(text: str) -> str:
    return text.replace(" ", THIN_SPACE)


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("copy_s", SECONDS),
        ("pinned_bytes_per_s", BANDWIDTH),
        ("matmul_flop_per_s", FLOPS),
        ("peak_bytes", BYTES),
        ("link_share", SHARE),
        ("speedup", RATIO),
        ("tf32_speedup", RATIO),
        ("slowdown", RATIO),
        ("error_ratio", RATIO),
        ("sm_clock_hz", HERTZ),
        ("streams", COUNT),
        ("launches", COUNT),
    ],
)
def test_a_name_states_its_unit_by_its_suffix(name: str, unit: Unit) -> None:
    assert unit == unit_of(name)


@pytest.mark.parametrize(
    ("written", "number", "unit", "digits"),
    [
        ("5.6 ms", 0.0056, SECONDS, 2),
        ("5.600 ms", 0.0056, SECONDS, 4),
        ("3.2 µs", 3.2e-6, SECONDS, 2),
        ("0.50 ns", 5e-10, SECONDS, 2),
        ("0 ns", 0.0, SECONDS, 2),
        ("−3.0 ms", -0.003, SECONDS, 2),
        ("54 GB/s", 54e9, BANDWIDTH, 2),
        ("4.35 TB/s", 4.348e12, BANDWIDTH, 3),
        ("386 TFLOP/s", 386e12, FLOPS, 3),
        ("1.98 GHz", 1.98e9, HERTZ, 3),
        ("7.9×", 7.9, RATIO, 2),
        ("0.50×", 0.5, RATIO, 2),
        ("88 %", 0.88, SHARE, 2),
        ("0.00010 %", 1e-6, SHARE, 2),
        ("1.433×10⁻⁸ %", 1.433e-10, SHARE, 4),
        ("256 MiB", 256 * 2**20, BYTES, 2),
        ("1.5 KiB", 1536, BYTES, 2),
        ("512 bytes", 512, BYTES, 2),
        ("1,500", 1500, COUNT, 2),
        ("12,300", 12345.6, COUNT, 3),
        ("−3", -3, COUNT, 2),
        ("−6.0×10⁻⁸", -6e-8, COUNT, 2),
    ],
)
def test_numbers_are_written_for_people(
    written: str, number: float, unit: Unit, digits: int
) -> None:
    assert thin(written) == format_number(number, unit, digits)


@pytest.mark.parametrize(
    ("written", "number", "unit", "digits"),
    [
        ("1.000 s", 0.99999, SECONDS, 4),
        ("1.0 ms", 996e-6, SECONDS, 2),
        ("1.00 TB/s", 999.9e9, BANDWIDTH, 3),
        ("10×", 9.96, RATIO, 2),
        ("100×", 99.96, RATIO, 3),
        ("1.0 GiB", 2**30 - 1, BYTES, 2),
    ],
)
def test_rounding_up_to_a_prefix_keeps_the_digits(
    written: str, number: float, unit: Unit, digits: int
) -> None:
    assert thin(written) == format_number(number, unit, digits)


@pytest.mark.parametrize(
    ("written", "low", "high", "name"),
    [
        ("5.2–5.8 ms", 0.0052, 0.0058, "copy_s"),
        ("0.90–1.1 ms", 0.0009, 0.0011, "copy_s"),
        ("7.5–8.1×", 7.5, 8.1, "speedup"),
        ("52–55 GB/s", 52e9, 55e9, "read_bytes_per_s"),
        ("3.0–4.0", 3.0, 4.0, "calls"),
    ],
)
def test_an_interval_has_one_unit(
    written: str, low: float, high: float, name: str
) -> None:
    assert thin(written) == format_interval(name, timing(low, high))


@pytest.mark.parametrize(
    ("digits", "low", "high"),
    [
        (4, 5, 5),
        (4, 4.9999, 5.0001),
        (3, 4.99, 5.01),
        (2, 4.5, 5.5),
        (2, 1, 9),
        (3, -5.01, -4.99),
    ],
)
def test_a_narrow_interval_allows_more_digits(
    digits: int, low: float, high: float
) -> None:
    assert digits == digits_for((low + high) / 2, Interval(low, high))


@pytest.mark.parametrize(
    ("written", "name", "cell"),
    [
        ("5.1 ms", "copy_s", timing(0.0049, 0.0053)),
        ("yes", "blocks", Plain(True)),
        ("no", "blocks", Plain(False)),
        ("torch.float32", "dtype", Plain("torch.float32")),
        ("2 MiB", "peak_bytes", Plain(2 * 2**20)),
        ("9.500 MiB", "peak_bytes", Plain(9728 * 2**10)),
        ("1,200,128 bytes", "block_bytes", Plain(1_200_128)),
        ("5,056 bytes", "state_bytes", Plain(5056)),
        ("100.0 MiB", "peak_bytes", Plain(100 * 2**20 + 1)),
        ("7.496 MiB", "bf16_extra_bytes", Plain(7_860_224)),
        ("8 MiB", "extra_bytes", Plain(2**23)),
        ("3.000 MiB", "more_bytes", Plain(3 * 2**20 + 500)),
        ("5.000 MiB", "copy_less_bytes", Plain(5 * 2**20 + 501)),
        ("2.000 MiB", "taken_bytes", Plain(2**21 + 512)),
        ("6.000 MiB", "saved_bytes", Plain(6 * 2**20 + 502)),
        ("9.000 MiB", "added_bytes", Plain(9 * 2**20 + 503)),
        ("10.00 MiB", "pool_grew_bytes", Plain(10 * 2**20 + 504)),
        ("4,194,809 bytes", "useless_bytes", Plain(2**22 + 505)),
        ("7,860,224 bytes", "size_bytes", Plain(7_860_224)),
        ("1,000,001 bytes", "extra_bytes", Plain(1_000_001)),
        ("4", "streams", Plain(4)),
        ("ValueError: too small", "error", Raised("ValueError", "too small")),
    ],
)
def test_a_cell_is_written_by_its_kind(written: str, name: str, cell: Plain) -> None:
    expected = written if isinstance(cell, Raised) else thin(written)
    assert expected == format_cell(name, cell)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("FP32, FP32", "float32 float32"),
        ("FP16, int64", "[torch.float16, torch.int64]"),
        ("BF16, FP16", "['bfloat16', 'float16']"),
        ("cuda:1, cpu", "cuda:1 cpu"),
        ("0, 0, 1", "0 0 1"),
        ("[1, 256]", "[1, 256]"),
        ("int32, int64", "int32, int64"),
        ("float32", "float32"),
        ("no error", "no error"),
        ("", ""),
    ],
)
def test_a_text_that_lists_types_has_commas(written: str, text: str) -> None:
    assert written == format_cell("types", Plain(text))


@pytest.mark.parametrize(
    ("written", "name", "value"),
    [
        ("1.04×", "speedup", 1.0412),
        ("0.975×", "speedup", 0.9751),
        ("1.8×", "speedup", 1.784),
        ("1.49×", "speedup", 1.491),
        ("1.5×", "speedup", 1.5),
        ("95.0 %", "busy_share", 0.95),
        ("94 %", "busy_share", 0.9401),
        ("42 %", "peak_share", 0.4167),
        ("80.0 MiB", "peak_bytes", 80.01 * 2**20),
        ("144 MiB", "peak_bytes", 144.04 * 2**20),
        ("1,021 MiB", "peak_bytes", 1021 * 2**20),
    ],
)
def test_a_sentence_has_two_digits_where_more_are_not_the_point(
    written: str, name: str, value: float
) -> None:
    assert thin(written) == format_cell(name, Plain(value), 2)


@pytest.mark.parametrize(
    ("written", "low", "high"),
    [("256 MiB", 256, 256), ("257 MiB", 256, 258), ("260 MiB", 220, 300)],
)
def test_a_sentence_has_three_digits_of_a_size_that_hardly_varies(
    written: str, low: int, high: int
) -> None:
    size = timing(low * 2**20, high * 2**20)
    assert thin(written) == format_cell("used_bytes", size, 2)


@pytest.mark.parametrize(
    ("number", "text", "unit"),
    [
        (2 * 2**20, "2 MiB", BYTES),
        (1024, "1_024", BYTES),
        (1024, "1,024", BYTES),
        (40e9, "40 GB/s", BANDWIDTH),
        (0.0056, "5.6ms", SECONDS),
        (3e-6, "3 us", SECONDS),
        (7.9, "7.9x", RATIO),
        (1e-3, "1e-3", SECONDS),
        (-1.5, " -1.5 ", COUNT),
        (0.57, "57 %", SHARE),
        (0.07, "7%", SHARE),
    ],
)
def test_a_quantity_is_read_into_base_units(
    number: float, text: str, unit: Unit
) -> None:
    assert number == parse_quantity(text, unit)


@pytest.mark.parametrize(
    ("text", "unit", "message"),
    [
        (
            "5 parsecs",
            SECONDS,
            "'parsecs' is no unit of a seconds (units: s, ms, µs, us, ns)",
        ),
        ("5 %", RATIO, "'%' is no unit of a ratio (units: ×, x)"),
        ("5 ms", COUNT, "'ms' is no unit of a number (units: none)"),
        (
            "5 MB",
            BYTES,
            "'MB' is no unit of a bytes (units: GiB, MiB, KiB, bytes)",
        ),
        ("1,5", RATIO, "',5' is no unit of a ratio (units: ×, x)"),
        ("fast", SECONDS, "'fast' is not a number"),
        ("nan", RATIO, "'nan' is not a number"),
        ("", RATIO, "'' is not a number"),
    ],
)
def test_a_bad_unit_is_named_with_the_known_ones(
    text: str, unit: Unit, message: str
) -> None:
    with pytest.raises(ValueError) as error:
        parse_quantity(text, unit)
    assert message == str(error.value)


def typed(text: str) -> str:
    powers = str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789")
    return text.translate(powers).replace("×10-", "e-")


@quick
@given(
    number=st.floats(1e-8, 1e15) | st.floats(-1e15, -1e-8) | st.just(0.0),
    unit=st.sampled_from(ALL_UNITS),
    digits=st.integers(2, 4),
)
def test_what_was_written_is_read_back_to_its_digits(
    number: float, unit: Unit, digits: int
) -> None:
    back = parse_quantity(typed(format_number(number, unit, digits)), unit)
    assert math.isclose(number, back, rel_tol=0.51 * 10 ** (1 - digits))


@quick
@given(number=st.floats(1e-8, 9e11), digits=st.integers(2, 4))
def test_no_more_digits_are_written_than_asked_for(number: float, digits: int) -> None:
    text = typed(format_number(number, BANDWIDTH, digits)).split(THIN_SPACE)[0]
    text = text.replace(",", "")
    fraction = text.partition("e")[0].replace(".", "").lstrip("0")
    significant = fraction if "." in text else fraction.rstrip("0")
    assert len(significant) <= digits


def test_the_suffix_alone_is_a_name() -> None:
    assert [BANDWIDTH, SECONDS] == [unit_of("bytes_per_s"), unit_of("s")]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["size_bytes", "pinned_bytes_per_s", "step_s"], ["size", "pinned", "step"]),
        (["fp16_peak_share", "ddp_speedup"], ["FP16 peak share", "DDP speedup"]),
        (["step", "step_s"], ["step", "step s"]),
        (["s", "bf16x3"], ["s", "bf16x3"]),
    ],
)
def test_names_are_spoken_without_the_unit_of_their_values(
    names: list[str], words: list[str]
) -> None:
    assert words == spoken(names)
