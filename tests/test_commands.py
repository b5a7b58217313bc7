"""What all commands share: their options, what they refuse before they begin, and schedulers."""

from __future__ import annotations

import signal
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click
import pytest
from evidence import commands
from evidence.__main__ import main
from evidence.commands import CommandError, line
from evidence.commands.line import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _signal_as_before() -> Iterator[None]:
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("keep", "Missing argument 'FILES...'."),
        ("upstream", "Missing argument 'CHECKOUTS...'."),
        ("worker", "Missing argument 'ADDRESS'."),
        ("sign me", "Missing option '--key'."),
        ("sign --key k me no.json", "'[FILES]...': Path 'no.json' does not exist."),
        ("verify --json .", "'--json': File '.' is a directory."),
        ("verify --processes 0", "'--processes': 0 is not in the range x>=1."),
        ("record --minutes -1", "'--minutes': -1.0 is not in the range x>=0."),
        ("record --before 7", "'--before': '7' does not match the format '%Y-%m-%d'."),
        ("worker gpu:8786", "gpu:8786 is reached by anybody: use tls:// or 127.0.0.1"),
    ],
)
def test_what_a_command_cannot_use_is_refused_before_it_begins(
    given: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == main(given.split())
    refused = capsys.readouterr().err.removeprefix("evidence: ")
    assert f"{said}\n" == refused.removeprefix("Invalid value for ")


def test_a_command_says_what_each_option_takes() -> None:
    told = {}
    listed = line.evidence
    for name in COMMANDS:
        context = click.Context(listed)
        command = listed.get_command(context, name)
        assert command
        told[command.name] = [
            help_[0].partition(",")[0]
            for each in command.params
            if isinstance(each, click.Option)
            and (help_ := each.get_help_record(context))
        ]
    assert told["record"] == [
        *("--examples PATH", "--stale", "--other-torch", "--before DAY"),
        *("--minutes FLOAT RANGE", "--scheduler ADDRESS"),
    ]
    assert told["verify"] == [
        *("--examples PATH", "--docs PATH", "-k EXPR", "--processes INTEGER RANGE"),
        *("--stale", "--json FILE", "--scheduler ADDRESS"),
    ]
    assert told["keep"] == told["sign"][:2] == ["--examples PATH", "--docs PATH"]


def test_a_scheduler_is_asked_with_the_limits_of_a_campaign(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def hosts(*given: Any, **limits: Any) -> tuple[Any, ...]:
        return *given, limits

    module = SimpleNamespace(Hosts=hosts)
    monkeypatch.setitem(sys.modules, "evidence.measure.hosts", module)

    asked = commands.campaign([], "tls://gpu:1", minutes=9.5)

    assert ("tls://gpu:1", commands.tell, {"minutes": 9.5}) == asked


def test_a_scheduler_needs_packages_that_measuring_here_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "evidence.measure.hosts", None)
    with pytest.raises(CommandError, match=r"^--scheduler needs the group 'hosts': "):
        commands.campaign([], "tls://gpu:1")
