"""Claims on mixed precision also hold on the CPU, with a newer PyTorch: ``nox -s tests -- torch``.

Each example that runs on any device runs here once, and its claims are judged by what it measures.
What the CPU does otherwise is told by a scope, or stands in :data:`OTHERWISE` with the reason.
"""

from __future__ import annotations

import functools
import os
from dataclasses import replace

import pytest
from conftest import ROOT
from evidence.commands.answers import answers, questions
from evidence.examples.script import find_scripts, read_script
from evidence.judge.claim import Claim
from evidence.judge.verdict import Verdict
from evidence.measure import Failure, Recording
from evidence.measure.campaign import Campaign, probe
from evidence.measure.machine import Machine
from msgspec.structs import replace as changed

pytestmark = pytest.mark.torch

SCRIPTS = {path.stem: path for path in find_scripts(ROOT / "examples")}
AMP = [stem for stem, path in SCRIPTS.items() if path.parent.name == "amp"]

#: Why an example does not run here, and the examples for which that is so.
LEFT_OUT: dict[str, tuple[str, ...]] = {
    "it times the GPU": (
        "a_block_for_each_call_slows_inference",
        "a_chunked_loss_takes_longer",
        "a_norm_in_its_input_type_is_faster",
        "a_penalty_need_not_wait",
        "a_scaler_costs_a_wait",
        "channels_last_speeds_up_16_bit_convolutions",
        "half_models_and_autocast_differ_in_inference",
        "misplaced_views_slow_16_bit_matmuls",
        "mixed_precision_slows_small_steps",
        "mixed_precision_speeds_up_large_steps",
        "odd_channels_slow_16_bit_convolutions",
        "odd_widths_slow_16_bit_matmuls",
        "only_some_layers_gain_under_autocast",
        "padded_heads_avoid_the_math_backend",
        "the_cache_gains_time_for_reused_weights",
    ),
    "it is written as for a GPU": (
        "a_closure_by_position_passes_the_scaler",
        "a_loop_of_two_optimizers_trains_like_fp32",
        "a_loop_that_accumulates_trains_like_fp32",
        "a_loop_that_clips_trains_like_fp32",
        "a_loop_with_a_penalty_trains_like_fp32",
        "logit_gradients_of_a_language_model_vanish",
        "some_calls_raise_in_one_spelling_only",
    ),
    "it counts the GPU's memory": (
        "a_chunked_loss_needs_little_memory",
        "a_norm_in_fp32_saves_more_for_backward",
        "each_use_without_the_cache_keeps_a_copy",
        "mixed_precision_saves_memory_in_large_batches",
        "the_loss_takes_much_of_the_memory",
    ),
    "its kernels are compiled for a GPU": (
        "a_compiled_call_keeps_its_kernel",
        "a_compiled_matmul_rounds_its_sums",
        "a_fused_kernel_rounds_once",
        "compiling_fuses_the_casts_of_a_norm",
    ),
    "it runs layers in cuDNN": ("recurrent_layers_need_a_scaler_in_a_bf16_block",),
    "each of its claims needs two GPUs": (
        "a_fused_step_misses_a_double_overflow",
        "dataparallel_forgets_the_type",
        "dataparallel_trains_with_one_scaler",
        "ddp_ranks_keep_one_scale",
        "ddp_refuses_two_gpus_per_process",
        "fsdp_casts_modules_and_autocast_operators",
        "fsdp_ranks_skip_together",
        "uneven_ranks_need_one_scaler_state",
    ),
    "test_newer_autocast.py asks what it asks": (
        "autocast_casts_more_than_is_listed",
        "the_lists_for_the_cpu_are_right",
        "the_lists_of_autocast_are_right",
        "the_spelling_decides_the_type",
    ),
    "it tries every operator, for minutes": (
        "autocast_changes_others_on_the_cpu",
        "autocast_changes_these_operators",
    ),
    "it trains for long on a CPU": (
        "precisions_differ_less_than_seeds",
        "small_gradients_need_a_scaler",
    ),
}

#: What the CPU does otherwise, also with the records' PyTorch, and the claims that it contradicts.
OTHERWISE: dict[str, tuple[str, ...]] = {
    "softmax and sum keep 16 bits": (
        "a-half-model-does-not-train",
        "a-named-type-is-kept",
        "an-fp32-model-trains-under-autocast",
    ),
    "its default type is BF16": (
        "a-new-thread-has-the-defaults",
        "autocast-takes-keywords",
    ),
    "autocast for CUDA leaves its tensors alone, and checks no type before it begins": (
        "autocast-of-another-device-does-nothing",
        "autocast-takes-its-arguments-in-another-order",
        "old-names-of-amp-warn",
        "the-recipe-resets-by-an-old-name",
    ),
    "it computes binary_cross_entropy in FP32": (
        "binary-cross-entropy-raises-under-autocast",
    ),
    "backward runs in the calling thread": ("the-thread-of-backward-has-the-state",),
    "it keeps LayerNorm in 16 bits": (
        "a-last-norm-trains-on-at-a-tiny-scale",
        "autocast-is-a-cast-before-each-call",
    ),
    "it counts no memory": ("training-keeps-the-copies-anyway",),
    "it casts a number by which it multiplies a tensor": (
        "autocast-casts-each-weight-and-gradient",
    ),
}

#: What differs from CPU to CPU, or from run to run, and the claims that it decides.
VARIES: dict[str, tuple[str, ...]] = {
    "how its kernels round": (
        "a-scaled-penalty-matches-fp64",
        "recurrent-layers-keep-their-gradient",
    ),
    "which memory it hands out again": ("a-skipped-first-step-spoils-the-momentum",),
}

#: What oneDNN says of a recurrent layer in BF16 on a processor without AVX-512.
NO_KERNEL = "could not create a primitive descriptor for the LSTM forward"

NOT_HERE = {stem for stems in LEFT_OUT.values() for stem in stems}
NOT_SO = {name for names in OTHERWISE.values() for name in names}
EITHER = {name for names in VARIES.values() for name in names}


@functools.cache
def claims() -> list[Claim]:
    return questions(ROOT / "docs", (), set(SCRIPTS))


@functools.cache
def machine() -> Machine:
    """One core: where others work too, torch's threads wait for each other most of the time."""
    cores = [*os.sched_getaffinity(0)]
    core = cores[int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % len(cores)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "sched_getaffinity", lambda _pid: {core})
        return Machine(probe(), [])


def test_the_tables_name_examples_and_claims_that_there_are() -> None:
    assert NOT_HERE <= {*AMP}
    assert NOT_SO | EITHER <= {
        claim.id for claim in claims() if not claim.stems & NOT_HERE
    }


@pytest.mark.parametrize("stem", sorted({*AMP} - NOT_HERE))
def test_what_holds_on_the_gpu_holds_on_the_cpu(stem: str) -> None:
    script = read_script(SCRIPTS[stem])
    script = replace(script, settings=changed(script.settings, gpus=0))
    campaign = Campaign(machine(), lambda _: None)
    (result,) = campaign.run([script], processes=1)
    if isinstance(result, Failure) and NO_KERNEL in result.cause.text:
        pytest.skip("oneDNN has no kernel of this type for this processor")
    assert isinstance(result, Recording), result

    mine = [c for c in claims() if c.stems == {stem} and c.id not in EITHER]
    judged = answers(mine, {stem: result}, campaign.builder)

    held = (Verdict.HOLDS, Verdict.OUT_OF_SCOPE)
    fell = {each.claim.id for each in judged if each.verdict not in held}
    assert fell == {claim.id for claim in mine} & NOT_SO
