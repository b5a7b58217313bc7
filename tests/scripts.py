"""Small examples that need no GPU, written for a test and measured in real processes."""

from __future__ import annotations

import textwrap
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import psutil
from evidence.examples.script import read_script
from evidence.measure import Failure, Recording, campaign
from evidence.measure.campaign import Campaign
from evidence.measure.machine import Machine
from factories import builder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    import pytest

HEADER = '''\
"""
A title
=======

What is it?
"""

# sphinx_gallery_evidence = {settings}

'''

PROSE = "\n\n# %%\n# What that gave:\n\n"

#: Seconds for what takes a moment: enough for a busy machine, far less than any timeout.
SOON = 4.0


def write(folder: Path, stem: str, *cells: str, **settings: Any) -> Path:
    """Write an example of these code cells; a setting that is None is left out."""
    usual = {"gpus": 0, "processes": 1, "timeout": 30, **settings}
    given = {name: value for name, value in usual.items() if value is not None}
    code = PROSE.join(textwrap.dedent(cell).strip() for cell in cells)
    path = folder / f"{stem}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    quiet = given.pop("quiet", "")
    comment = f'# sphinx_gallery_quiet = "{quiet}"\n' if quiet else ""
    path.write_text(HEADER.format(settings=given) + comment + code + "\n")
    return path


def measure(
    paths: Iterable[Path],
    gpus: Sequence[str] = (),
    report: Callable[[str], None] = lambda _: None,
    each: Callable[..., Iterable[Any]] = map,
) -> dict[str, Recording | Failure]:
    """Measure these examples in one campaign; the results by stem."""
    measuring = Campaign(Machine(builder(), gpus), report)
    scripts = [read_script(path) for path in paths]
    results = each(lambda script: next(measuring.run([script])), scripts)
    return {result.script.stem: result for result in results}


def measured(path: Path) -> Recording:
    """Measure one example that gives a record."""
    (result,) = measure([path]).values()
    assert isinstance(result, Recording), result
    return result


def failed(path: Path) -> Failure:
    """Measure one example that gives none."""
    (result,) = measure([path]).values()
    assert isinstance(result, Failure), result
    return result


def numbered(file: Path, values: Sequence[float]) -> str:
    """A cell that leaves its process's own of these values in ``value``."""
    return f"""
        with open({str(file)!r}, "a+") as file:
            file.write("x")
            file.flush()
            value = {list(values)!r}[file.tell() - 1]
        print("value", value)
    """


def meeting(folder: Path) -> list[Path]:
    """Write three examples that share a GPU, each of which waits until all have begun."""
    begun = folder / "begun"
    begun.mkdir()
    code = f"""
        import time
        from pathlib import Path
        begun = Path({str(begun)!r})
        begun.joinpath("{{}}").touch()
        while len([*begun.iterdir()]) < 3:
            time.sleep(0.01)
        measured = {{{{"met": 3}}}}
    """
    stems = ("first", "second", "third")
    return [write(folder, s, code.format(s), quiet="nothing") for s in stems]


def time_is_up(file: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Code of an example after which the time of every campaign is over: it makes this file."""

    def now() -> float:
        return 1e6 if file.exists() else 0.0

    clock = SimpleNamespace(time=now, monotonic=time.monotonic)
    monkeypatch.setattr(campaign, "time", clock)
    return f"open({str(file)!r}, 'a').close()\n"


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that only waits for its parent's notice does not."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def wait_until(condition: Callable[[], object], seconds: float = 20.0) -> None:
    """Poll until something holds.

    :raises TimeoutError: when it does not within so many seconds
    """
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.02)
