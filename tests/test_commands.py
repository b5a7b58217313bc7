"""What all commands share: their options, what they refuse before they begin, and schedulers."""

from __future__ import annotations

import signal
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import click
import pytest
from evidence import commands, doctor
from evidence.__main__ import main
from evidence.commands import CommandError, line
from evidence.commands.line import COMMANDS
from evidence.examples.script import ScriptError
from evidence.judge.facts import FactsError
from evidence.measure.campaign import BuilderError

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


def test_all_commands_are_listed_and_no_other_is_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert 0 == main(["--help"])
    listed = capsys.readouterr().out.partition("Commands:\n")[2]
    names = {row.split()[0] for row in listed.splitlines() if row.startswith("  ")}
    assert {*COMMANDS, "doctor"} == names
    assert 2 == main(["nurse"])
    assert "evidence: No such command 'nurse'." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("stopped", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (click.Abort(), 130, "interrupted\n"),
        (CommandError("no folder"), 2, "evidence: no folder\n"),
        (ScriptError("no script"), 2, "evidence: no script\n"),
        (BuilderError("no GPU"), 2, "evidence: no GPU\n"),
        (FactsError("no fact"), 2, "evidence: no fact\n"),
    ],
)
def test_what_ends_a_command_is_told_by_its_exit_code(
    stopped: BaseException,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(line.evidence, "main", Mock(side_effect=stopped))
    assert code == main(["verify"])
    output = capsys.readouterr()
    assert (said, "") == ((output.err, output.out)[:: 1 if code == 2 else -1])
    assert signal.getsignal(signal.SIGTERM) is signal.default_int_handler


@pytest.mark.parametrize("error", [ValueError("a bug"), RuntimeError("another")])
def test_a_fault_of_our_own_comes_through(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line.evidence, "main", Mock(side_effect=error))
    with pytest.raises(type(error), match=str(error)):
        main(["verify"])


@pytest.mark.parametrize(("given", "code"), [(None, 0), (0, 0), (1, 1), (2, 2)])
def test_the_exit_code_is_that_of_the_command(
    given: int | None, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line.evidence, "main", Mock(return_value=given))
    assert code == main(["verify"])


def test_a_doctor_that_is_interrupted_ends_as_other_commands_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = Mock(side_effect=KeyboardInterrupt)
    monkeypatch.setattr(doctor, "main", asked)
    assert 130 == main(["doctor", "--json", "a.py"])
    asked.assert_called_once_with(["--json", "a.py"])
    assert "interrupted\n" == capsys.readouterr().out


def test_a_command_may_be_named_behind_an_option_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = Mock(return_value=1)
    monkeypatch.setattr(doctor, "main", asked)
    assert 1 == main(["--", "doctor", "--json", "--help", "a.py"])
    asked.assert_called_once_with(("--json", "--help", "a.py"))


def test_cells_are_aligned_and_nothing_stands_behind_the_last() -> None:
    rows = [("", "held", ""), ("copy", "a", "7"), ("by", "two", "")]
    assert ["      held", "copy  a     7", "by    two"] == commands.columns(rows)
    assert [] == commands.columns([])


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
