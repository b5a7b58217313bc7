"""What a sentence says and no check of its claim shows, and sentences that changed places."""

from __future__ import annotations

import re

import pytest
from evidence.judge.claim import Claim
from evidence.judge.direction import unshown
from evidence.judge.english import stems
from evidence.judge.pages import make_claims
from evidence.judge.shown import are_exchanged

_LABEL = re.compile(r"[a-z ]+: \.")


def claim(checks: str, claim_id: str = "a-copy") -> Claim:
    """A claim with checks that a semicolon parts; a label stands before a colon, or is the key."""
    lines = [f"{claim_id}:"]
    for n, check in enumerate(checks.split("; ")):
        label, _, rest = (
            check.rpartition(": ") if _LABEL.match(check) else ("", "", check)
        )
        key = rest.split()[0].rpartition(".")[2].replace("_", " ")
        lines.append(f"  {label or f'{key} ({n})'}: {rest}")
    (made,), wrong = make_claims("copy", "\n".join(lines), "page", 1)
    assert [] == wrong
    return made


def said(sentence: str, checks: str, claim_id: str = "a-copy") -> list[str]:
    return [*unshown(claim(checks, claim_id), sentence)]


DENIED = "but no check expects 0, false or at most a bound"
OPPOSITE = "but its checks show the opposite"


@pytest.mark.parametrize(
    ("sentence", "checks", "message"),
    [
        (
            "A copy was wrong in none of the 20 tries.",
            ".wrong == .tries",
            "says 'in none' more often than a check expects 0",
        ),
        (
            "A copy was wrong in all 20 tries.",
            ".wrong == 0; .tries == 20",
            "says 'all 20' more often than a check expects a total",
        ),
        (
            "A copy is always right.",
            ".wrong <= 3",
            "says 'always', but no check expects all, none or just one",
        ),
        (
            "A copy is sometimes right.",
            ".right == .tries",
            "says 'sometimes', but its checks expect all or none",
        ),
        ("A copy does not wait.", ".waits == .tries", f"says 'does not', {DENIED}"),
        (
            "A copy is pinned.",
            ".pinned false",
            "does not deny 'pinned', which a check expects to be 0 or false",
        ),
        (
            "A copy is not 3× as fast.",
            ".speedup about 1 +- 10 %",
            "says 'not 3×' of a value that was measured",
        ),
        (
            "A copy does not overtake.",
            ".overtakes == .tries; .gain_share <= 5 %",
            "denies 'overtak', which its id or a check asserts",
        ),
        ("A copy is slower.", ".more_s >= 3", "says 'slower' of 'a copy is faster'"),
        (
            "A copy overtakes it.",
            ".overtook == 3",
            "denies nothing, but its id denies 'overtak'",
        ),
        ("A copy takes less.", ".more == 3", "says 'less' of 'more'"),
        ("A copy is slower.", ".speedup >= 1.3", f"says 'slower', {OPPOSITE}"),
        ("A copy is faster.", ".slowdown in 2..3", f"says 'faster', {OPPOSITE}"),
        ("A copy is slowest.", ".by[n=1].speedup most", f"says 'slowest', {OPPOSITE}"),
        ("A copy is fastest.", ".by[n=1].speedup least", f"says 'fastest', {OPPOSITE}"),
        (
            "A copy is 3.2× slower.",
            ".speedup >= 3",
            "says '3.2× slower', which no check shows",
        ),
        (
            "A copy is 0.8× as fast.",
            ".speedup >= 1.3",
            "says '0.8× as fast', which no check shows",
        ),
        (
            "A copy takes more than its kernel.",
            ".copies == 3",
            "says 'more', but no check compares",
        ),
        (
            "Every copy is pinned.",
            ".by[n=1].pinned true; .by[n=2].pinned false",
            "says 'Every', but its checks of 'pinned' differ",
        ),
        (
            "It hides no GPU.",
            ".gpus == 3",
            "says all or none of 'gpu', where its id says the opposite",
        ),
        (
            "A copy is early: it reports a race, although it does not raise.",
            '.report == "nothing"',
            "does not deny 'report', which a check expects to be 0 or false",
        ),
        (
            "The copies run one after the other.",
            ".side_by_side true",
            "says 'one after the other' of 'side by side'",
        ),
        (
            "Kernels wait.",
            ".wrong == .tries",
            "shares no word with its id, its checks and their labels",
        ),
    ],
)
def test_what_no_check_shows_is_named(sentence: str, checks: str, message: str) -> None:
    ids = {
        "says 'slower' of 'a copy is faster'": "a-copy-is-faster",
        "says all or none of 'gpu', where its id says the opposite": "hides-every-gpu",
        "denies nothing, but its id denies 'overtak'": "a-copy-does-not-overtake",
    }

    assert message in said(sentence, checks, ids.get(message, "a-copy"))


@pytest.mark.parametrize(
    ("sentence", "checks"),
    [
        ("A copy was wrong in none of the 20 tries.", ".wrong == 0; .tries == 20"),
        ("Both copies ran: all 20 copies were right.", ".right == .tries"),
        ("A copy is never late.", ".late == 0"),
        ("A copy is not pinned.", ".pinned false"),
        ("A copy cannot be pinned.", "copy.error raises RuntimeError: pinned"),
        ("A copy does not print anything.", '.printed == "nothing"'),
        ("A copy is not faster.", ".speedup about 1 +- 10 %"),
        ("A copy is often early.", ".early in 3..7"),
        ("All 5 copies ran.", ".ran == 5; .copies == 5"),
        ("A copy was late in all 20 tries.", ".late >= 15; .tries == 20"),
        ("A copy is 3.2× as fast, and no longer slow.", ".speedup >= 3"),
        ("A copy takes 0.5× as long.", ".slowdown <= 0.7"),
        ("A copy takes 1.2× as long.", ".over_kernel_ratio in 1..1.5"),
        ("A copy is faster than a kernel.", ".copy_s <= 0.5 * .kernel_s"),
        ("A copy waits, which a kernel does not.", ".waits == .tries"),
        ("A copy raises “it is not pinned”.", "copy.error raises E: pinned"),
        ("A copy has half the bytes.", ".half_bytes == 1 MiB"),
    ],
)
def test_what_a_check_shows_may_be_said(sentence: str, checks: str) -> None:
    assert [] == said(sentence, checks)


def test_a_word_of_a_label_is_enough_and_what_it_asserts_may_not_be_denied() -> None:
    checks = "overtakes: .early == .tries; left: .share <= 5 %"

    assert [] == said("Kernels overtake it.", checks, "a-call")
    assert ["denies 'overtak', which its id or a check asserts"] == said(
        "Kernels do not overtake it.", checks, "a-call"
    )


@pytest.mark.parametrize(
    ("sentence", "label", "check"),
    [
        ("A copy does not help.", "does not help", ".waits true"),
        ("Copies take more than kernels.", "more than", ".copies == 3"),
        ("A copy takes less.", "less", ".more >= 3"),
        ("A copy runs in full.", "rounded in a copy", ".copy false"),
    ],
)
def test_a_word_of_direction_that_a_label_repeats_is_shown(
    sentence: str, label: str, check: str
) -> None:
    assert [] != said(sentence, check, "copies-do-copy")
    assert [] == said(sentence, f"{label}: {check}", "copies-do-copy")


def test_sentences_that_changed_places_fit_each_other_better() -> None:
    pinned = claim(".by_memory[memory=pinned].speedup >= 3", "a-pinned-copy-is-fast")
    graph = claim(".replays_right == .replays", "a-graph-repeats-its-kernels")
    one, two = "Pinned memory makes a copy fast.", "A graph replays all its kernels."

    assert are_exchanged(pinned, two, graph, one)
    assert not are_exchanged(pinned, one, graph, two)


def test_a_single_word_is_no_evidence_of_an_exchange() -> None:
    first, second = claim(".early == 1", "a-wait"), claim(".once == 1", "a-wait")

    assert not are_exchanged(first, "A wait, once.", second, "A wait.")
    assert are_exchanged(first, "A wait, once.", second, "A wait is early.")


def test_endings_and_the_words_of_grammar_do_not_count() -> None:
    assert stems("It waits for the copies.") == stems("waiting, copied")
    assert {"1,024", "stop"} == stems("stopped-at_1,024")
