"""A synthetic site of any size for the bench: examples with made-up records, pages with claims."""

from __future__ import annotations

import random
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from evidence.examples.script import read_script
from evidence.records.model import (
    SCHEMA,
    Builder,
    Figure,
    Output,
    Plain,
    Process,
    Record,
    Table,
    Timing,
)
from evidence.records.store import checksum, rounded, save
from synthetic_texts import KINDS, PAGE, PLOT, PROSE, SCRIPT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evidence.records.model import Row, Value

ROOT = Path(__file__).parents[1]

CHAPTERS = 10
#: One example in so many has a figure and a sweep; one page in so many a plot of it.
EVERY = 10
BUILDER = Builder(gpu="NVIDIA H200", gpus=2, torch="2.11.0+cu130", kernel="6.8.0")
SIZES = [4**k * 1024 for k in range(10)]


@dataclass
class Synthetic:
    """A site without a fault, of so many examples, pages and claims."""

    folder: Path
    examples: int = 100
    pages: int = 60
    claims: int = 500
    random: random.Random = field(default_factory=lambda: random.Random(0))

    def write(self) -> None:
        """Write scripts, records and pages."""
        # The settings name files of theirs from the pages' folder.
        (self.folder / "conf").symlink_to(ROOT / "conf")
        # That page is of examples that are not here.
        left = shutil.ignore_patterns("healthy_machine.md", "ledger")
        evidence = self.folder / "docs" / "evidence"
        shutil.copytree(ROOT / "docs" / "evidence", evidence, ignore=left)
        self._text("docs/evidence/upstream.toml", "")
        self._ledgers((evidence / "ledger.md").read_text("utf-8"))
        self._text("examples/GALLERY_HEADER.rst", "Examples\n========\n")
        for number in range(self.examples):
            self._example(number)
        pages = [self._page(number) for number in range(self.pages)]
        generated = [f"evidence/{path.stem}" for path in sorted(evidence.glob("*.md"))]
        tree = "\n".join([*pages, *generated, "gallery/index"])
        self._text(
            "docs/index.md", f"(send-passes)=\n# Index\n\n```{{toctree}}\n{tree}\n```\n"
        )

    def _ledgers(self, whole: str) -> None:
        """Write a ledger for each chapter, in place of the site's own."""
        chapters = sorted({place(number)[1] for number in range(self.examples)})
        names = [f"ledger/{chapter}" for chapter in chapters]
        for name, chapter in zip(names, chapters, strict=True):
            text = f"# Ledger: {chapter}\n\n```{{evidence-ledger}} {chapter}\n```\n"
            self._text(f"docs/evidence/{name}.md", text)
        ours = re.sub(r"(?:^ledger/\w+\n)+", "\n".join([*names, ""]), whole, flags=re.M)
        self._text("docs/evidence/ledger.md", ours)

    def _text(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def _example(self, number: int) -> None:
        stem, chapter, swept = place(number)
        header = f"{chapter}\n{'-' * len(chapter)}\n"
        self._text(f"examples/{chapter}/GALLERY_HEADER.rst", header)
        title = f"A copy of kind {number}"
        code = SCRIPT.format(title=title, line="=" * len(title))
        path = self._text(f"examples/{chapter}/{stem}.py", code)
        name, drawing = f"{stem}-1.svg", (_drawing() if swept else b"")
        lines = "".join(f"{k / 1e6:.6f} s against 0.000500 s\n" for k in range(20))
        record = Record(
            stem=stem,
            code_key=read_script(path).code_key,
            recorded="2026-01-31",
            builder=BUILDER,
            measured=self._measured(swept),
            outputs=(
                Output("buffers of 2,097,152 bytes\n"),
                Output(),
                Output(lines, figures=(name,) if swept else ()),
                Output(),
            ),
            figures=(Figure(name, checksum(drawing)),) if swept else (),
            names={"source": "torch.Tensor", "target": "torch.Tensor"},
            processes=(Process(1.5, 1_980_000_000, "SwPowerCap"),)
            * (12 if swept else 6),
            typical=0,
            schema=SCHEMA,
        )
        save(record, path.with_suffix(".json"), {name: drawing} if swept else {})

    def _measured(self, swept: bool) -> dict[str, Value]:
        rows: tuple[Row, ...] = tuple(
            {
                "size_bytes": Plain(size),
                "paged_bytes_per_s": self._timing(1e10, 12),
                "pinned_bytes_per_s": self._timing(5e10, 12),
                "speedup": self._timing(5, 12),
            }
            for size in SIZES
        )
        whole: Value = Table(rows) if swept else self._timing(5, 6)
        return {
            "by_size" if swept else "speedup": whole,
            **self._timings(12 if swept else 6),
            "kept_bytes": Plain(2 * 2**20),
            "waits": Plain(False),
        }

    def _timings(self, processes: int) -> dict[str, Value]:
        means = {"fast_s": 1e-4, "slow_s": 5e-4}
        return {name: self._timing(mean, processes) for name, mean in means.items()}

    def _timing(self, mean: float, processes: int) -> Timing:
        medians = [
            rounded(self.random.gauss(mean, mean / 50)) for _ in range(processes)
        ]
        iqr = rounded(fmean(medians) / 100)
        return Timing(tuple(medians), (iqr,) * processes, (20,) * processes)

    def _page(self, number: int) -> str:
        """Write one page; gives its name."""
        stem, chapter, _ = place(number * self.examples // self.pages)
        evidence = [*self._claims(number)]
        if number % EVERY == 0:
            swept, _, _ = place(number // EVERY * EVERY % self.examples)
            self._text(f"docs/{chapter}/figure_{number:03}.py", PLOT.format(stem=swept))
            options = ":title: Speed\n:alt: Two rising lines."
            drawn = f":::{{plot}} figure_{number:03}\n{options}\n\nSpeed.\n:::"
            evidence.append(drawn)
        name = f"{chapter}/page_{number:03}"
        title, shown = f"Copies of kind {number}", "\n\n".join(evidence)
        kept = {"chapter": chapter, "stem": stem, "prose": PROSE}
        self._text(f"docs/{name}.md", PAGE.format(title=title, evidence=shown, **kept))
        return name

    def _claims(self, page: int) -> Iterator[str]:
        for number in range(self.claims):
            if number * self.pages // self.claims != page:
                continue
            stem, _, swept = place(number * self.examples // self.claims)
            speedup = f"{stem}.by_size[size_bytes=4096].speedup"
            speedup = speedup if swept else f"{stem}.speedup"
            address, expect, body = KINDS[number % len(KINDS)]
            value = address.format(stem=stem, speedup=speedup)
            yield (
                f"[{body.format(value=value)}]{{#claim-{number}}}\n\n"
                f"```{{checks}}\nclaim-{number}:\n"
                f"  a copy: {value} {expect.format(stem=stem)}\n"
                f"  :seed: R{number % 51 + 1}\n```"
            )


def place(number: int) -> tuple[str, str, bool]:
    """Stem and chapter of an example, and whether it has a figure and a sweep."""
    swept = number % EVERY == 0
    chapter = number // EVERY % CHAPTERS
    return f"behaviour_{number:03}", f"chapter_{chapter}", swept


def _drawing() -> bytes:
    """A figure as an example draws it: two lines of a hundred points."""
    points = " ".join(f"L {x} {200 - x * x / 500:.4f}" for x in range(300))
    line = f'<path d="M 0 200 {points}" style="fill: none; stroke: #1f77b4"/>\n'
    text = '<text x="9" y="20" style="font-size: 10px">bytes per second</text>\n'
    box = 'xmlns="http://www.w3.org/2000/svg" width="460pt" height="345pt"'
    return f'<svg {box} viewBox="0 0 460 345">\n{line * 3}{text * 12}</svg>\n'.encode()
