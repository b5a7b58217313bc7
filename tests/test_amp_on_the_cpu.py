"""Claims on mixed precision also hold on the CPU, with a newer PyTorch: ``nox -s tests -- torch``.

Each example that runs on any device runs here once, and its claims are judged by what it measures.
What the CPU does otherwise is told by a scope, or stands in :data:`OTHERWISE` with the reason.
"""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest
from conftest import ROOT
from evidence.commands.answers import answers, questions
from evidence.examples.script import find_scripts, read_script
from evidence.judge.claim import Claim
from evidence.judge.verdict import Verdict
from evidence.measure.campaign import Campaign, probe
from evidence.measure.machine import Machine
from evidence.measure.recording import Recording
from msgspec.structs import replace as changed

pytestmark = pytest.mark.torch

SCRIPTS = {path.stem: path for path in find_scripts(ROOT / "examples")}
AMP = [stem for stem, path in SCRIPTS.items() if path.parent.name == "amp"]

#: Examples that need a GPU, or two, or take too long, and why.
ON_A_GPU: dict[str, str] = {
    "a_fused_step_misses_a_double_overflow": "names two GPUs",
    "a_penalty_need_not_wait": "holds a stream",
    "a_scaler_costs_a_wait": "times the GPU",
    "autocast_casts_more_than_is_listed": "calls what only CUDA registers",
    "autocast_changes_others_on_the_cpu": "a minute; it asks the CPU by itself",
    "small_gradients_need_a_scaler": "trains for minutes on a CPU",
}

#: Claims that the CPU contradicts, and why.
OTHERWISE: dict[str, str] = {
    "a-half-model-does-not-train": "its softmax stays in 16 bits",
    "a-named-type-is-kept": "its softmax stays in 16 bits",
    "a-new-thread-has-the-defaults": "its default type is BF16",
    "an-fp32-model-trains-under-autocast": "its softmax stays in 16 bits",
    "binary-cross-entropy-raises-under-autocast": "it computes that in FP32",
    "the-thread-of-backward-has-the-state": "backward runs in the calling thread",
    "training-keeps-the-copies-anyway": "it counts no memory",
}


@functools.cache
def claims() -> list[Claim]:
    return questions(ROOT / "docs", (), set(SCRIPTS))


@pytest.mark.parametrize("stem", sorted(set(AMP) - ON_A_GPU.keys()))
def test_what_holds_on_the_gpu_holds_on_the_cpu(stem: str) -> None:
    script = read_script(SCRIPTS[stem])
    script = replace(script, settings=changed(script.settings, gpus=0))
    campaign = Campaign(Machine(probe(), []), lambda _: None, processes=1)
    (result,) = campaign.run([script])
    assert isinstance(result, Recording), result

    mine = [claim for claim in claims() if claim.stems == {stem}]
    judged = answers(mine, {stem: result}, campaign.builder)

    held = (Verdict.HOLDS, Verdict.OUT_OF_SCOPE)
    fell = {each.claim.id for each in judged if each.verdict not in held}
    assert fell == {claim.id for claim in mine} & OTHERWISE.keys()
