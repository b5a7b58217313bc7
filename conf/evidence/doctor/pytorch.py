"""What PyTorch says of itself and of its GPUs, and whether short claims of the site hold there.

PyTorch, the driver and the examples may crash or hang, so a process of their own asks them. Each
thing that it learns is a line of JSON; what it said before its end counts.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import sys
from collections.abc import Iterator
from itertools import permutations
from types import SimpleNamespace
from typing import Any

from evidence.doctor import machine
from evidence.doctor.known import HOME
from evidence.doctor.report import Outcome, Report
from evidence.judge.scope import Scope

BOOT = (
    "import sys; sys.path[0] = sys.argv[1];"
    "from evidence.doctor.pytorch import answer; answer()"
)
#: The page whose claims are tried.
HEALTH = "evidence/healthy_machine"
_EXPECT = re.compile(r"(==|>=|<=) (?:\.(\w+)|([\d.]+)( %)?)")


def ask(scripts: dict[str, str], seconds: float) -> tuple[list[dict[str, Any]], str]:
    """What PyTorch says, and what examples measure; and why that is not all."""
    command = [sys.executable, "-c", BOOT, str(HOME)]
    lines, why = machine.run(command, seconds, json.dumps(scripts))
    told = [json.loads(line[1:]) for line in lines if line.startswith("\0")]
    others = [line for line in lines if not line.startswith("\0")]
    return told, f"{why}: {others[-1]}" if why and others else why


def answer() -> None:
    """Say all that is asked, in the process that was made for it."""
    scripts = json.load(sys.stdin)
    for data in asked(scripts):
        # On a line of its own, whatever an example or a library printed before.
        print("\n\0" + json.dumps(data), flush=True)


def asked(scripts: dict[str, str]) -> Iterator[dict[str, Any]]:
    """What this PyTorch is, and has, or why it has no GPU; then what each example measures."""
    import torch

    hip = getattr(torch.version, "hip", None) or ""
    yield {"torch": torch.__version__, "cuda": torch.version.cuda or "", "hip": hip}
    if hip or not torch.version.cuda:
        return
    try:
        torch.cuda.init()
        count = torch.cuda.device_count()
        every = [torch.cuda.get_device_properties(index) for index in range(count)]
    except Exception as error:
        yield {"error": _first_line(error)}
        return
    pairs = [*permutations(range(count), 2)]
    yield {
        "kernels": torch.cuda.get_arch_list(),
        "devices": [{"name": p.name, "sm": f"{p.major}.{p.minor}"} for p in every],
        "pairs": len(pairs),
        "missing": sum(not torch.cuda.can_device_access_peer(*pair) for pair in pairs),
    }
    for stem, source in scripts.items():
        names: dict[str, Any] = {"__name__": stem}
        try:
            exec(compile(source, f"{stem}.py", "exec"), names)
        except Exception as error:
            yield {"stem": stem, "error": _first_line(error)}
        else:
            measured = {name: _middle(v) for name, v in names["measured"].items()}
            yield {"stem": stem, "measured": measured}


def _middle(value: Any) -> Any:
    return statistics.median(value["samples"]) if isinstance(value, dict) else value


def _first_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def pytorch(report: Report, seconds: float) -> Iterator[Outcome]:
    """Ask PyTorch; what it is and has is noted for scopes."""
    # Sorted by name, those that ask for faults come first, in case the time is over.
    told, why = ask(report.scripts, seconds)
    view = {key: value for part in told for key, value in part.items()}
    report.machine |= {name: view[name] for name in ("torch", "cuda") if view.get(name)}
    if "devices" not in view:
        report.can_tell = False
        yield from _without_gpu(view, why)
        return
    gpu = view["devices"][0]
    names = {"gpus": len(view["devices"]), "gpu": gpu["name"]}
    report.machine |= {**names, "capability": gpu["sm"]}
    yield from _gpus(view)
    yield from _health(report, told)
    if left := report.scripts.keys() - {result.get("stem") for result in told}:
        how = "'nox -s verify -- -k healthy_machine' takes its time"
        yield f"{', '.join(sorted(left))}: {why}; {how}"


def _without_gpu(view: dict[str, Any], why: str) -> Iterator[Outcome]:
    """Why there is no GPU that PyTorch could use."""
    if "torch" not in view:
        yield f"PyTorch does not load: {why}"
    elif view["hip"]:
        yield "this PyTorch is for AMD's GPUs, of which the site has measured none"
    elif not view["cuda"]:
        yield f"this PyTorch, {view['torch']}, is built without CUDA"
        if machine.has_gpu():
            yield "built-without-cuda", view
    elif os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1"):
        yield "no-gpu-is-visible", {}
    else:
        yield f"PyTorch cannot use a GPU: {view.get('error', why)}"


def _gpus(view: dict[str, Any]) -> Iterator[Outcome]:
    """The GPUs that PyTorch has no kernels for, and those that do not reach each other."""
    kernels = view["kernels"]
    for index, gpu in enumerate(view["devices"]):
        # By CUDA's rules, code of another major version runs only if it is PTX.
        fitting = rf"sm_{gpu['sm'].partition('.')[0]}\d[af]?|compute_\d+"
        if kernels and not any(re.fullmatch(fitting, name) for name in kernels):
            words = {"index": index, "built": ", ".join(kernels), **gpu}
            yield "no-kernels-for-this-gpu", words
    if view["missing"]:
        yield "no-peer-access", view


def _health(report: Report, told: list[dict[str, Any]]) -> Iterator[Outcome]:
    """Compare what the examples measured with the claims of their page."""
    results = {result["stem"]: result for result in told if "stem" in result}
    yield from (f"{s}: {r['error']}" for s, r in results.items() if "error" in r)
    builder: Any = SimpleNamespace(**report.machine)
    for claim in report.claims.values():
        result = results.get(claim["checks"][0]["value"].partition(".")[0], {})
        in_scope = claim["page"] == HEALTH and Scope(claim["scope"]).holds_on(builder)
        if in_scope and "measured" in result:
            broken = [*failing(claim["checks"], result["measured"])]
            words = {"claim": claim["id"], "checks": " and ".join(broken)}
            if broken:
                yield "not-healthy", {**words, "script": result["stem"]}
            else:
                report.held.append(claim["id"])


def failing(checks: list[dict[str, Any]], measured: dict[str, Any]) -> Iterator[str]:
    """The checks that one run does not bear out, by the little of the grammar that they use.

    :raises AttributeError: when they use more
    """
    for check in checks:
        value = measured[check["value"].partition(".")[2]]
        expected = _EXPECT.fullmatch(check["expect"])
        sign, name, number, percent = expected.groups()  # type: ignore[union-attr]
        bound = measured[name] if name else float(number) / (100 if percent else 1)
        is_low, is_high = value < bound, value > bound
        if (is_low and sign != "<=") or (is_high and sign != ">="):
            yield f"'{check['label']}' is {value:.3g}, not {check['expect']}"
