"""Every way to turn the build red: exact messages, exit code 1, and all of them in one build."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from conftest import SCRIPT, SVG, Site, claim
from evidence.judge.expect import GRAMMAR
from evidence.records.model import Plain
from evidence.records.store import MAX_BYTES
from factories import sealed, timing

if TYPE_CHECKING:
    from pathlib import Path

MEASURED = "5.0× (4.9–5.1×)"

#: What is wrong with a claim: how it is written, and what the build says behind its id.
SPEEDUP = "copy.speedup"
CLAIMS = {
    "false": (
        claim("false", ">= 6"),
        f"claim 'false': expected >= 6, measured {MEASURED} on NVIDIA H200 "
        "(examples/memory/copy.json); correct the page, or record again with "
        "'nox -s record -- copy' [evidence.diverged]",
    ),
    "noisy": (
        claim("noisy", ">= 5"),
        f"claim 'noisy': expected >= 5, measured {MEASURED} on NVIDIA H200 "
        "(examples/memory/copy.json); the interval straddles the bound: move the bound, "
        "or record again with 'nox -s record -- copy' [evidence.noisy]",
    ),
    "near": (
        claim("near", ">= 4.5"),
        f"claim 'near': expected >= 4.5, measured {MEASURED} on NVIDIA H200 "
        "(examples/memory/copy.json); the bound stands too near to hold on another "
        "machine: leave a factor of 1.25 (1.05 where the interval is narrower than 2 %), "
        "or write 'as documented' behind it [evidence.tight]",
    ),
    "far": (
        claim("far", ">= 2.4"),
        f"claim 'far': expected >= 2.4, measured {MEASURED} on NVIDIA H200 "
        "(examples/memory/copy.json); the bound stands too far to say much: move it to "
        "within a factor of 2, or write 'as documented' behind it [evidence.weak]",
    ),
    "elsewhere": (
        claim("elsewhere", scope="gpus>=8"),
        f"claim 'elsewhere': expected >= 3, measured {MEASURED} on NVIDIA H200 "
        "(examples/memory/copy.json); the scope 'gpus>=8' leaves out its own record: "
        "correct it [evidence.scope]",
    ),
    "unchecked": (
        claim("unchecked").replace("`).", "`, in {measured}`copy.extra_bytes`)."),
        "copy.extra_bytes is shown in claim 'unchecked', which does not check it: add a line "
        "'label: copy.extra_bytes expectation' to its checks, or leave it out [evidence.unchecked]",
    ),
    "itself": (
        claim("itself", control="itself"),
        "claim 'itself': its control 'itself' is no other claim that "
        "measures the same example [evidence.claim]",
    ),
    "unknown-value": (
        claim("unknown-value", value="copy.spedup"),
        "claim 'unknown-value': nothing was measured as 'copy.spedup'; "
        "did you mean copy.speedup? [evidence.claim]",
    ),
    # Its ending says that it has no unit: first it is looked up.
    "misspelt": (
        claim("misspelt", ">= 300 %", value="copy.spedu").replace(
            "({measured}`copy.spedu`)", "by far"
        ),
        "claim 'misspelt': nothing was measured as 'copy.spedu'; did you mean "
        "copy.speedup? [evidence.claim]",
    ),
    "grammar": (
        claim("grammar", "fast"),
        "claim 'grammar': bad expectation 'fast': not understood; write one of\n"
        f"{GRAMMAR} [evidence.claim]",
    ),
    "unit": (
        claim("unit", ">= 3 ms"),
        "claim 'unit': bad expectation '>= 3 ms': 'ms' is no unit of a ratio "
        "(units: ×, x); write one of\n"
        f"{GRAMMAR} [evidence.claim]",
    ),
    "misfit": (
        claim("misfit", "true").replace(
            "is faster | is not faster <copy.speedup>", SPEEDUP
        ),
        "claim 'misfit': the expectation 'true' does not fit 5.0 [evidence.claim]",
    ),
    "scope": (
        claim("scope", scope="everywhere"),
        "claim 'scope': bad scope 'everywhere'; write one of any, sm_80+, gpus>=2, "
        "torch>=2.9, gpu == NVIDIA H200 or NVIDIA B200; several are joined by commas "
        "[evidence.claim]",
    ),
    "Id": (
        claim("Id").partition("\n\n")[2],
        "claim 'Id': the id 'Id' is not kebab-case [evidence.claim]",
    ),
    "option": (
        claim("option", scop="any"),
        "claim 'option': unknown option 'scop' (known: scope, documented, control, shows, title, "
        "seed, tried, contradicts, confirms) [evidence.claim]",
    ),
    "unexecuted": (
        "```python\nimport torch\n```",
        "nothing runs this Python; literalinclude it from an example, or name its language "
        "[evidence.unexecuted]",
    ),
    "role": (
        "Text {measured}`copy.spedup`.",
        "nothing was measured as 'copy.spedup'; did you mean copy.speedup? [evidence.claim]",
    ),
}


#: What is wrong where no claim has its id: with a sentence, a check, an option, another text.
PLACES = {
    "unchecked": "[It is faster ({measured}`copy.speedup`, in ",
    "misspelt": "  how fast: copy.spedu ",
    "grammar": "  how fast: copy.speedup fast",
    "unit": "  how fast: copy.speedup >= 3 ms",
    "option": "  :scop:",
    "unexecuted": "```python",
    "role": "Text ",
}


def line_of(name: str, page: Path) -> int:
    """Where the build names what is wrong: with a claim as a whole, at its id."""
    lines = page.read_text().splitlines()
    begin = PLACES.get(name, f"{name}:")
    return next(n for n, line in enumerate(lines, 1) if line.startswith(begin))


def test_every_fault_of_a_page_is_reported_at_its_line_in_every_build(
    site: Site,
) -> None:
    site.record(measured={"speedup": timing(4.9, 5.1), "extra_bytes": Plain(64)})
    page = site.page(*(written for written, _ in CLAIMS.values()))
    expected = {
        f"docs/index.md:{line_of(name, page)}: WARNING: {message}"
        for name, (_, message) in CLAIMS.items()
    }
    expected.add("WARNING: 10 claims were read, 8 published [evidence.count]")
    site.preview = True
    first = site.build(code=1)
    assert expected == set(first.warnings)
    assert len(expected) == len(first.warnings)
    unchanged = site.build(code=1)
    assert not unchanged.read
    assert first.warnings == unchanged.warnings


RENAMED = """\
[It is {measured}`copies.speedup` faster, or {measured}`copy.speedup`.]{#all}

```{checks} copies
all:
  faster: .speedup >= 3
  faster than another: copy.speedup >= .speedup
```

Once more: {measured}`copies.speedup`.

:::{recorded} copies.sweep
It grows.
:::

:::{plot} figure
:title: It grows
:alt: A line
Growing.
:::"""


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("copied", "(copied: no record); did you mean copied or copy?"),
        ("transferred", "(transferred: no record); did you mean copy?"),
    ],
)
def test_an_example_that_does_not_exist_is_one_line_for_a_page(
    site: Site, name: str, hint: str
) -> None:
    site.record("copy")
    site.script(name)
    site.write(
        "docs/figure.py", "def draw(axes, records):\n    records.rows('copies.a')\n"
    )
    site.page(claim(), RENAMED)
    site.page("A page: {measured}`copies.speedup`.", name="other")

    named = f"WARNING: nothing was measured as 'copies' {hint} [evidence.claim]"
    missing, *expected = site.build(code=1).warnings

    assert missing.startswith(f"examples/memory/{name}.py:1: WARNING: examples/memory")
    assert expected == [f"docs/index.md:12: {named}", f"docs/other.md:9: {named}"]


@pytest.mark.parametrize(
    ("message", "text", "unshown"),
    [
        (
            "words are chosen by what is true or false, or by a count",
            "{measured}`copy.speedup`, it {measured}`waits | runs on <copy.speedup>`",
            [],
        ),
        (
            "copy.speedup is called 'slower': write what its name says",
            "{measured}`copy.speedup`; that is {measured}`copy.speedup` slower",
            ["says 'slower', but its checks show the opposite"],
        ),
    ],
)
def test_words_that_do_not_fit_what_their_claim_checks_are_reported(
    message: str, text: str, unshown: list[str], site: Site
) -> None:
    """Reported with the claim is only what was not measured: the markup would be printed."""
    page = site.page(claim("words").replace("{measured}`copy.speedup`", text))
    lines = page.read_text().splitlines()
    line = lines.index(f"[It is faster ({text}).]{{#words}}") + 1
    fault, *others = site.build(code=1).warnings
    assert fault == f"docs/index.md:{line}: WARNING: {message} [evidence.claim]"
    for what, other in zip(unshown, others, strict=True):
        assert f"WARNING: claim 'words' {what}: " in other


def broken(site: Site, stem: str) -> Path:
    """An example whose record is whole so far, and that record."""
    path = site.script(stem)
    figures = {f"{stem}-1.svg": SVG % b"drawn"}
    site.record(stem, figures=figures)
    return path.with_suffix(".json")


def break_records(site: Site) -> dict[str, str]:
    """Break one record in each way; give what the build should say of it, by stem."""
    broken(site, "missing").unlink()
    path = broken(site, "truncated")
    path.write_bytes(path.read_bytes()[:100])
    broken(site, "merged").write_text("<<<<<<< HEAD\n")
    path = broken(site, "newer")
    path.write_text(path.read_text().replace('"schema": 1', '"schema": 2'))
    path = broken(site, "edited")
    path.write_text(path.read_text().replace("2026-01-31", "2026-02-01"))
    broken(site, "large").write_bytes(b" " * (MAX_BYTES + 1))
    path = broken(site, "foreign_figure")
    output = {"text": "", "html": "", "figures": ["x-1.svg"]}
    path.write_bytes(sealed(path.read_bytes(), outputs=[output]))
    path = broken(site, "undated")
    path.write_bytes(sealed(path.read_bytes(), recorded="2026-02-31"))
    path = broken(site, "short")
    path.write_bytes(sealed(path.read_bytes(), outputs=[]))
    broken(site, "repainted").with_name("repainted-1.svg").write_text("<svg/>")
    broken(site, "undrawn").with_name("undrawn-1.svg").unlink()
    return {
        "missing": "does not exist",
        "truncated": "is not JSON, or was cut off (Input data was truncated)",
        "merged": "is not JSON, or was cut off (JSON is malformed: invalid character "
        "(byte 0))",
        "newer": "has schema 2, this site reads 1",
        "edited": "was edited: its checksum does not match",
        "large": "is larger than 5 MB",
        "foreign_figure": "does not fit schema 1: a cell shows x-1.svg, which is no "
        "figure of it",
        "undated": "does not fit schema 1: day is out of range for month",
        "short": "has 0 outputs, and its script 2 cells",
        "repainted": "does not fit its figure repainted-1.svg: missing or edited",
        "undrawn": "does not fit its figure undrawn-1.svg: missing or edited",
    }


def test_a_record_that_cannot_be_used_is_named_with_the_way_out(site: Site) -> None:
    causes = break_records(site)
    cited = [f"Text {{measured}}`{stem}.speedup`." for stem in causes]
    site.page(claim(), claim("lost", value="missing.speedup"), *cited)
    build = site.build(code=1)
    expected = [
        f"examples/memory/{stem}.py:1: WARNING: examples/memory/{stem}.json {cause}; record "
        f"it with 'nox -s record -- {stem}' on a machine with a GPU, or take what was "
        "committed, or what the GPU builder's next run measures [evidence.record]"
        for stem, cause in sorted(causes.items())
    ]
    assert expected == build.warnings
    assert build.warnings == site.build(code=1).warnings
    for stem, cause in causes.items():
        text = build.text(f"gallery/memory/{stem}").replace("‘", "'").replace("’", "'")
        assert f"This example has no usable record: it {cause}." in text
        # Its page links it: a reader should see that it is damaged, too.
        link = f"examples/memory/{stem}.json"
        assert stem == "missing" or (
            (build.html / link).read_bytes() == (site.folder / link).read_bytes()
        )
    # Each where it is cited, and in the sentence and evidence of the claim that rests on one.
    assert len(causes) + 2 == build.text().count("not measured")


def test_code_that_changed_since_its_record_is_stale(site: Site) -> None:
    site.script(code=SCRIPT + "\nmore = 1\n")
    expected = (
        "examples/memory/copy.py:1: WARNING: the code changed since its record; record it "
        "with 'nox -s record -- copy' on a machine with a GPU, or take what was committed, "
        "or what the GPU builder's next run measures [evidence.stale]"
    )
    build = site.build(code=1)
    assert [expected] == build.warnings
    assert [expected] == site.build(code=1).warnings
    assert "✗ ✗ stale how fast 5.0×" in build.text().replace("\u202f", " ")
    text = build.text("gallery/memory/copy")
    assert "The code of this example has changed since it was measured." in text
    assert "4.9 to 5.1" not in text


def test_a_record_without_a_script_is_reported(site: Site) -> None:
    folder = site.folder / "examples" / "memory"
    for stem in ("gone", "went"):
        site.script(stem)
        site.record(stem)
        (folder / f"{stem}.py").unlink()
    expected = [
        f"examples/memory/{stem}.json:1: WARNING: is the record of no example: rename it "
        "with its script, or remove it [evidence.record]"
        for stem in ("gone", "went")
    ]
    assert expected == site.build(code=1).warnings


def test_the_record_of_other_code_is_stale_whatever_it_is_called(site: Site) -> None:
    path = site.script("twin", code=f"{SCRIPT}\nmore = 1\n")
    path.with_suffix(".json").write_bytes((path.parent / "copy.json").read_bytes())
    warnings = site.build(code=1).warnings
    stale = "examples/memory/twin.py:1: WARNING: the code changed since its record; "
    assert [True, False] == [warning.startswith(stale) for warning in warnings]
    assert warnings[1].endswith("nothing uses it [evidence.unused]")


def test_nothing_of_anything_is_no_success(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.page()
    expected = [
        "WARNING: there is no example in examples/ [evidence.count]",
        "WARNING: no page makes a claim [evidence.count]",
    ]
    assert expected == site.build(code=1).warnings


def test_all_faults_are_reported_at_once_and_the_other_pages_written(
    site: Site,
) -> None:
    site.page(claim(expect=">= 6"), "{doc}`nowhere`")
    site.page("{measured}`copy.spedup`", name="second", title="Second")
    site.page("{measured}`copy.speedup` faster", name="third", title="Third")
    site.script("unrecorded")
    build = site.build(code=1)
    kinds = sorted(re.findall(r"\[([\w.]+)\]$", "\n".join(build.warnings), re.M))
    expected = ["evidence.claim", "evidence.diverged", "evidence.record"]
    assert expected == [kind for kind in kinds if kind.startswith("evidence")]
    assert "5.0× faster" in build.text("third")
