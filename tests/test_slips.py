"""Slips that somebody planted, and no test noticed: what each must not change."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import Any

import pytest
from docutils import nodes
from evidence.judge.asked import User, who_asks
from evidence.judge.kept import checked
from evidence.measure.child import _quiet
from evidence.site.reading.claims import _sentences
from sphinx.addnodes import pending_xref


def test_the_order_of_its_examples_is_no_part_of_what_a_claim_checks() -> None:
    keys: Any = {"copy": "1a", "move": "2b", "wait": "3c"}

    def of(*stems: str) -> str:
        claim: Any = SimpleNamespace(of="copy", checks=(), stems=stems)
        return checked(claim, keys)

    assert of("copy", "wait", "move") == of("wait", "move", "copy")
    assert of("copy", "wait") != of("copy", "move")


@pytest.mark.parametrize(
    ("said", "gpu"),
    [
        ("H100", "H100"),
        ("H100 PCIe", "NVIDIA H100 PCIe"),
        ("80GB HBM3", "NVIDIA H100 80GB HBM3"),
    ],
)
def test_a_gpu_that_may_be_several_has_the_name_that_it_was_given(
    said: str, gpu: str
) -> None:
    known = {
        "models": {"NVIDIA H100 80GB HBM3": {}, "NVIDIA H100 PCIe": {}},
        "capabilities": {"9.0": ["H100", "HBM3"]},
    }
    assert gpu == who_asks(User(gpu=said), known).gpu


def test_a_warning_that_is_expected_is_no_error() -> None:
    with warnings.catch_warnings():
        _quiet(["an old name", "a slow way"])
        for text in ("an old name is used", "a slow way is taken"):
            warnings.warn(text, stacklevel=1)
        with pytest.raises(UserWarning, match="another"):
            warnings.warn("another", stacklevel=1)


def test_each_sentence_of_a_lead_has_its_own_links() -> None:
    link = pending_xref("", nodes.inline("", "copy"), reftarget="it-copies")
    words = nodes.Text(" first. Then wait. Then read it. ")
    last = pending_xref("", nodes.inline("", "More"), reftarget="it-reads")
    lead = nodes.paragraph("", "", nodes.Text("Always "), link, words, last)
    said = [(each.text, sorted(each.targets)) for each in _sentences(lead)]
    expected = [
        ("Always copy first.", ["it-copies"]),
        ("Then wait.", []),
        ("Then read it.", []),
        ("More", ["it-reads"]),
    ]
    assert expected == said
