"""What runs inside the process of one example. Nothing here runs in the parent.

The cells are executed as a notebook would: statement by statement, the value of a last expression
shown. The text of a cell is everything that reached file descriptors 1 and 2 meanwhile, so that
what C code prints (a device-side assert) is not lost. The result is plain data in a file.
"""

from __future__ import annotations

import ast
import codeop
import ctypes
import faulthandler
import io
import json
import linecache
import operator
import os
import random
import re
import sys
import time
import traceback
import types
import unittest
import warnings
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from evidence.examples.script import Script, ScriptCell
from evidence.measure import Cause, Reason
from evidence.measure.builder import cpu_time, fingerprint, gpu_state, occupied
from evidence.measure.values import reduce_measured
from evidence.records.store import rounded
from evidence.records.wire import packed

RESULT = "result.json"
OUTPUT = "output.txt"

#: Where an object lies in memory says nothing and differs each time.
_ADDRESS = re.compile(r" at 0x[0-9a-f]+(?=>)")

#: Drawn from records or by an example, every figure has text as text and the same bytes each time.
SVG: Any = {"svg.fonttype": "none", "svg.hashsalt": "measured-cuda"}


def enter(
    folder: Path,
    gpus: Sequence[str] | None,
    timeout: float,
    cores: Collection[int] = (),
) -> None:
    """Make this process one of its own: session, output, GPUs, cores and working directory.

    :param gpus: the GPUs that it may see; None leaves those that the parent sees
    :param cores: the cores that it may use; none leaves those that the parent may
    """
    os.setsid()
    output = os.open(folder / OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    for stream in (sys.stdout, sys.stderr):
        assert isinstance(stream, io.TextIOWrapper)
        stream.reconfigure(
            encoding="utf-8", errors="backslashreplace", line_buffering=True
        )
    # Just before the parent's deadline, so that a report of a hang says where it hangs.
    faulthandler.enable(file=2)
    faulthandler.dump_traceback_later(0.9 * timeout, file=2)
    # NVML counts GPUs in this order; without it CUDA counts the fastest first.
    os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    if gpus is not None:
        os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(gpus)
    if cores:
        _stay_on(cores)
    os.environ["MPLBACKEND"] = "Agg"
    if "matplotlib" in sys.modules:  # forked: it has read the parent's variable already
        sys.modules["matplotlib"].use("Agg")
    scratch = folder / "scratch"
    scratch.mkdir()
    os.chdir(scratch)


def _stay_on(cores: Collection[int]) -> None:
    """Use these cores alone, with a thread of torch's for each."""
    os.sched_setaffinity(0, cores)
    # A fresh interpreter loads torch later: it counts the cores then.
    if torch := sys.modules.get("torch"):
        for pool in "num_threads", "num_interop_threads":
            if getattr(torch, f"get_{pool}")() > len(cores):
                getattr(torch, f"set_{pool}")(len(cores))


def write_result(folder: Path, result: dict[str, Any]) -> None:
    """Hand plain data to the parent; the rename makes a half-written result impossible."""
    partial = folder / (RESULT + ".part")
    partial.write_text(json.dumps(result, allow_nan=False), encoding="utf-8")
    partial.rename(folder / RESULT)


def write_fingerprint(folder: Path, timeout: float) -> None:
    """Task: write what this machine is as the result."""
    enter(folder, None, timeout)
    write_result(folder, fingerprint())


def run_example(
    folder: Path,
    script: Script,
    gpus: Sequence[str],
    cores: Collection[int],
) -> None:
    """Task: run the cells of one example and write what they gave."""
    settings, name = script.settings, script.path.name
    enter(folder, gpus, settings.timeout, cores)
    if settings.quiet != "nothing" and (obstacle := occupied(gpus)):
        write_result(folder, {"cause": msgspec.to_builtins(Cause(obstacle))})
        return
    _quiet(settings.expected_warnings)
    _seed()
    source = ""
    for cell in script.cells:
        source += "\n" * (cell.line - 1 - source.count("\n")) + cell.source + "\n"
    # For the lines that a traceback shows.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    sys.argv = [name]
    started, before = time.monotonic(), cpu_time(cores)
    try:
        outputs = list(_run_cells(main.__dict__, script, folder))
        seconds = time.monotonic() - started
        measured = reduce_measured(main.__dict__.get("measured"))
    except BaseException as error:
        write_result(folder, {"cause": msgspec.to_builtins(_cause(error, name))})
        return
    state = gpu_state(gpus[0]) if gpus else {}
    stolen, passed = map(operator.sub, cpu_time(cores), before)
    state["stolen_share"] = rounded(stolen / max(1, passed))
    result = {
        "outputs": outputs,
        "measured": packed(measured),
        "names": _type_names(main.__dict__),
        "process": {"seconds": rounded(seconds), **state},
    }
    write_result(folder, result)


def _quiet(expected_warnings: Sequence[str]) -> None:
    """Turn warnings into errors, as a reader would want to know of each."""
    warnings.simplefilter("error")
    # An example shows its figure to the reader at home; here there is no screen.
    warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")
    for pattern in expected_warnings:
        warnings.filterwarnings("ignore", message=pattern)


def _seed() -> None:
    """Give every process the same random numbers, in what is loaded already."""
    random.seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)  # also of the GPU's, once it is used


def _run_cells(
    namespace: dict[str, Any], script: Script, folder: Path
) -> Iterator[dict[str, Any]]:
    """Run cell after cell; gives the fields of a record's output for each."""
    compiler = codeop.Compile()
    for cell in script.cells:
        begin = _written()
        _run_cell(compiler, namespace, script.path.name, cell)
        end = _written()  # before the file is read: it flushes what C still holds
        raw = (folder / OUTPUT).read_bytes()[begin:end].decode("utf-8", "replace")
        figures = _save_figures(folder, script.stem)
        yield {"text": _ADDRESS.sub("", raw), "figures": figures}


def _run_cell(
    compiler: codeop.Compile, namespace: dict[str, Any], name: str, cell: ScriptCell
) -> None:
    """Run a cell; the value of a last expression is printed, as at a prompt."""
    # The empty lines make the line numbers of a traceback those of the file.
    tree = ast.parse("\n" * (cell.line - 1) + cell.source, name)
    last = [tree.body.pop()] if isinstance(tree.body[-1], ast.Expr) else []
    for part, mode in ((tree, "exec"), (ast.Interactive(last), "single")):
        exec(compiler(part, name, mode), namespace)  # type: ignore[arg-type]


def _written() -> int:
    """How much this process wrote so far, with Python's and C's buffers flushed."""
    sys.stdout.flush()
    sys.stderr.flush()
    ctypes.CDLL(None).fflush(None)
    return os.fstat(1).st_size


def _save_figures(folder: Path, stem: str) -> list[str]:
    """Save and close the open figures as SVG; count on from those of earlier cells.

    Figures of all examples of a chapter share its folder: their names begin with the example's.
    """
    if "matplotlib.pyplot" not in sys.modules:
        return []
    from matplotlib import pyplot, rc_context

    names = []
    for number in pyplot.get_fignums():
        name = f"{stem}-{len(list(folder.glob('*.svg'))) + 1}.svg"
        with rc_context(SVG):
            pyplot.figure(number).savefig(folder / name, metadata={"Date": None})
        names.append(name)
    pyplot.close("all")
    return names


def _cause(error: BaseException, name: str) -> Cause:
    """Cause of a failure in terms of the script: no frame and no path of ours."""
    frames = traceback.extract_tb(error.__traceback__)
    of_script = (frame for frame in reversed(frames) if frame.filename == name)
    line, code = next(((frame.lineno, frame.line) for frame in of_script), (0, ""))
    if isinstance(error, SystemExit):
        return Cause(f"called sys.exit({error}) in line {line}")
    # A MemoryError says nothing but its name.
    message = f": {error}" if str(error) else ""
    where = f" in line {line}: {code}" if line else ""
    kind, reason = type(error).__name__, Reason.ERROR
    if kind == "OutOfMemoryError":  # torch may not be installed
        reason = Reason.OUT_OF_MEMORY
    elif isinstance(error, unittest.SkipTest):
        reason = Reason.SKIPPED
    return Cause(f"raised {kind}{message}{where}", reason)


def _type_names(namespace: dict[str, Any]) -> dict[str, str]:
    """Qualified type names of the torch objects that the cells left, for code links."""
    type_names = {}
    for name, value in namespace.items():
        kind = type(value)
        if not name.startswith("_") and kind.__module__.partition(".")[0] == "torch":
            type_names[name] = f"{kind.__module__}.{kind.__qualname__}"
    return type_names
