"""A scope says on which builders a statement must hold."""

from __future__ import annotations

import pytest
from evidence.judge.scope import GRAMMAR, Scope, ScopeError
from factories import builder


@pytest.mark.parametrize(
    ("expected", "scope", "changes"),
    [
        (True, "any", {}),
        (True, "any", {"gpu": "", "capability": "", "torch": "", "gpus": 0}),
        (True, "sm_80+", {"capability": "8.0"}),
        (True, "sm_80+", {"capability": "12.0"}),
        (False, "sm_80+", {"capability": "7.5"}),
        (False, "sm_80+", {"capability": ""}),
        (False, "sm_100+", {"capability": "9.0"}),
        (True, "sm_100+", {"capability": "10.0"}),
        (True, "gpus>=2", {"gpus": 2}),
        (True, "gpus >= 2", {"gpus": 8}),
        (False, "gpus>=2", {"gpus": 1}),
        (True, "torch>=2.9", {"torch": "2.9.0"}),
        (True, "torch>=2.9", {"torch": "2.11.0+cu130"}),
        (True, "torch>=2.9", {"torch": "2.13.0a0+git1234"}),
        (False, "torch>=2.9", {"torch": "2.8.1"}),
        (False, "torch>=2.9", {"torch": ""}),
        (True, "torch<2.11", {"torch": "2.10.1"}),
        (False, "torch < 2.11", {"torch": "2.11.0"}),
        (True, "gpu == NVIDIA H200", {}),
        (False, "gpu == NVIDIA H200", {"gpu": "NVIDIA H200 NVL"}),
        (False, "gpu==NVIDIA H100", {}),
    ],
)
def test_a_condition_holds_on_a_builder(
    expected: bool, scope: str, changes: dict[str, object]
) -> None:
    assert expected is Scope.parse(scope).holds_on(builder(**changes))


@pytest.mark.parametrize(
    ("expected", "scope"),
    [
        (True, "sm_80+, gpus>=2, torch>=2.9, gpu == NVIDIA H200"),
        (True, "any,sm_90+"),
        (False, "sm_80+, gpus>=4"),
        (False, "torch>=2.12, sm_80+"),
    ],
)
def test_conditions_joined_by_commas_must_all_hold(expected: bool, scope: str) -> None:
    assert expected is Scope.parse(scope).holds_on(builder())


@pytest.mark.parametrize(
    "scope",
    [
        "",
        "sm_80",
        "sm_8+",
        "gpus>2",
        "torch>=2",
        "torch==2.9",
        "gpu = H200",
        "any, ",
        "everywhere",
    ],
)
def test_a_bad_scope_shows_the_grammar(scope: str) -> None:
    with pytest.raises(ScopeError, match="bad scope") as error:
        Scope.parse(scope).holds_on(builder())
    assert GRAMMAR in str(error.value)


def test_a_bad_condition_is_an_error_where_another_fails_too() -> None:
    with pytest.raises(ScopeError, match="'nonsense'"):
        Scope.parse("gpus>=99, nonsense").holds_on(builder())
