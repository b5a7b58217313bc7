"""A scope says on which builders a statement must hold."""

from __future__ import annotations

import pytest
from evidence.judge.scope import SCOPES, Scope, ScopeError
from factories import builder


@pytest.mark.parametrize(
    ("expected", "scope", "changes"),
    [
        (True, "any", {}),
        (True, "any", {"gpu": "", "capability": "", "torch": "", "gpus": 0}),
        (True, "sm_80+", {"capability": "8.0"}),
        (True, "sm_80+", {"capability": "12.0"}),
        (False, "sm_80+", {"capability": "7.5"}),
        (False, "sm_100+", {"capability": "9.0"}),
        (True, "sm_103+", {"capability": "10.3"}),
        (False, "sm_103+", {"capability": "10.2"}),
        (True, "gpus>=2", {"gpus": 2}),
        (True, "gpus >= 2", {"gpus": 10}),
        (False, "gpus>=2", {"gpus": 1}),
        (True, "torch>=2.9", {"torch": "2.9.0"}),
        (True, "torch>=2.9", {"torch": "2.11.0+cu130"}),
        (True, "torch>=2.9", {"torch": "2.13.0a0+git1234"}),
        (False, "torch>=2.9", {"torch": "2.8.1"}),
        (True, "torch<2.11", {"torch": "2.10.1"}),
        (False, "torch < 2.11", {"torch": "2.11.0"}),
        (True, "gpu == NVIDIA H200", {}),
        (False, "gpu == NVIDIA H200", {"gpu": "NVIDIA H200 NVL"}),
        (False, "gpu==NVIDIA H100", {}),
        # Of several models, any will do, by its whole name.
        (True, "gpu == NVIDIA H100 80GB HBM3 or NVIDIA H200", {}),
        (True, "gpu == NVIDIA H200 or NVIDIA B200, gpus>=2", {"gpu": "NVIDIA B200"}),
        (False, "gpu == NVIDIA H200 or NVIDIA B200", {"gpu": "NVIDIA B200 or so"}),
        (False, "gpu == NVIDIA H100 or NVIDIA H200 NVL", {}),
        # A version that is not known is older than any.
        (False, "sm_01+", {"capability": ""}),
        (True, "sm_00+", {"capability": "unknown"}),
        (True, "torch<0.1", {"torch": ""}),
        (False, "torch<0.0", {"torch": ""}),
        # All of several conditions must hold.
        (True, "sm_80+, gpus>=2, torch>=2.9, gpu == NVIDIA H200", {}),
        (True, "any,sm_90+", {}),
        (False, "sm_80+, gpus>=4", {}),
        (False, "torch>=2.12, sm_80+", {}),
    ],
)
def test_a_scope_holds_on_a_builder(
    expected: bool, scope: str, changes: dict[str, object]
) -> None:
    assert expected is Scope(scope).holds_on(builder(**changes))


@pytest.mark.parametrize(
    ("condition", "scope"),
    [
        ("", ""),
        ("sm_80", "sm_80"),
        ("sm_8+", "sm_8+"),
        ("gpus>2", "gpus>2"),
        ("torch>=2", "torch>=2"),
        ("torch==2.9", "torch==2.9"),
        ("gpu = H200", "gpu = H200"),
        ("", "any, "),
        ("everywhere", "everywhere"),
        ("nonsense", "gpus>=99, nonsense"),
    ],
)
def test_a_bad_scope_shows_the_grammar(condition: str, scope: str) -> None:
    with pytest.raises(ScopeError) as error:
        Scope(scope)
    assert f"bad scope {condition!r}; write one of {SCOPES}" == str(error.value)


def test_a_scope_is_kept_as_it_was_written() -> None:
    expected = "sm_80+,gpus >= 2"
    assert expected == Scope(expected).text
