"""How often a live build errs is as *How this site knows* says, and a simulation can tell."""

from __future__ import annotations

import math

import numpy as np
import pytest
from evidence.judge.clear import CLEAR
from evidence.measure.rounds import ROUNDS
from live_rates import Timed, Value, rates, simulate


def test_fewer_than_one_of_a_hundred_builds_and_checks_errs() -> None:
    found = rates()
    assert found.checks > 600
    assert found.red < 0.01, found.listed
    assert found.false < 0.01


@pytest.mark.parametrize(
    ("expected", "factor", "spread"), [(0, 2.0, 0.1), (1, 1.05, 0.3)]
)
def test_a_bound_that_is_near_for_its_spread_makes_builds_red(
    expected: int, factor: float, spread: float
) -> None:
    processes = spread * np.linspace(-1, 1, 12)
    value = Value("copy", processes, np.zeros(2))
    check = Timed("fast", "", math.log(factor), math.inf, value, None, 12)
    true, holds, _ = simulate(check, np.random.default_rng(0), beyond=False)
    assert true.all()
    red = (~holds).mean()
    assert red == 0 if not expected else red > 0.1


def test_a_build_stops_to_ask_where_the_rule_does() -> None:
    assert [*CLEAR, None] == [*ROUNDS]
