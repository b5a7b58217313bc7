"""The seam to sphinx-gallery: examples are rendered from their records and never executed.

sphinx-gallery walks the folder, parses the scripts, writes pages, thumbnails, notebooks and
downloads as always. Only its ``execute_script`` is replaced, by a function that hands back the
recorded outputs in the same form, and it is kept from importing matplotlib. This is the one place
that touches its internals; ``tests/test_gallery_seam.py`` fails when they change.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from textwrap import indent
from types import ModuleType
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from sphinx_gallery import gen_gallery, gen_rst
from sphinx_gallery.scrapers import figure_rst
from sphinx_gallery.utils import get_md5sum

from evidence.records.code_key import has_statement
from evidence.records.store import checksum
from evidence.site.domain import evidence_of
from evidence.site.evidence_nodes import builder_line, measured_tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sphinx.application import Sphinx

    from evidence.examples.library import Example, Library
    from evidence.records.model import Output

_ANSI = re.compile(r"\x1B(?:[@-Z\\-_]|\[[0-?]*[ -/]*[@-~])")


def setup_gallery(app: Sphinx) -> None:
    """Register sphinx-gallery, for a process in which no example draws.

    It would import matplotlib to choose its backend: a sixth of the time of a small edit.
    """
    app.setup_extension("sphinx_gallery.gen_gallery")
    gen_gallery._import_matplotlib = lambda: None


class Replay:
    """What stands in for sphinx-gallery's ``execute_script`` during one build.

    ``rendered`` are the stems of the examples whose page this build wrote.
    """

    def __init__(self, library: Library) -> None:
        self.rendered: set[str] = set()
        examples = library.examples.values()
        # sphinx-gallery gives the path as it is configured, which may lead over a link.
        self._examples = {example.path.resolve(): example for example in examples}

    def execute_script(
        self,
        script_blocks: Sequence[Any],
        script_vars: dict[str, Any],
        gallery_conf: Mapping[str, Any],
        file_conf: Mapping[str, Any],  # noqa: ARG002 - the signature is sphinx-gallery's
    ) -> tuple[list[str], float]:
        """Give back the recorded output of each block, and the recorded seconds.

        Code without a usable record gets no output; the footer says why.
        """
        example = self._examples[Path(script_vars["src_file"]).resolve()]
        self.rendered.add(example.stem)
        record = example.record
        outputs = iter(
            record.outputs if record is not None and not example.stale else ()
        )
        _remove_figures(example, Path(script_vars["target_file"]).with_name("images"))
        # A script that is no Python comes as one block, and has no cells.
        blocks = [
            _block(block, outputs, example, script_vars, gallery_conf)
            if example.script is not None
            else ""
            for block in script_blocks
        ]
        # Below the last code, if there is any: what stands behind a text block is not shown.
        code = [i for i, block in enumerate(script_blocks) if block.type == "code"]
        blocks[max(code, default=0)] += f"\n.. evidence-record:: {example.stem}\n\n"
        _pretend_to_have_run(script_vars)
        return blocks, record.seconds if record is not None else 0.0


def _pretend_to_have_run(script_vars: dict[str, Any]) -> None:
    """Leave behind what sphinx-gallery reads after it executed a script."""
    script_vars["fake_main"] = ModuleType("__main__")
    script_vars["example_globals"] = script_vars["fake_main"].__dict__
    script_vars["memory_delta"] = 0.0
    script_vars["passing"] = True
    target = Path(script_vars["target_file"])
    target.with_name(target.name + ".md5").write_text(get_md5sum(str(target), mode="t"))


def _block(
    block: Any,
    outputs: Iterator[Output],
    example: Example,
    script_vars: Mapping[str, Any],
    gallery_conf: Mapping[str, Any],
) -> str:
    """The recorded output of one block as reST; cells without a statement have none."""
    if block.type == "text" or not has_statement(block.content):
        return ""
    output = next(outputs, None)
    if output is None:
        return ""
    images = _images(output, example, script_vars, gallery_conf)
    text = _ANSI.sub("", output.text).expandtabs()
    shown = gen_rst.CODE_OUTPUT.format(indent(text, " " * 4)) if text.strip() else ""
    html = (
        gen_rst.HTML_HEADER.format(indent(output.html, " " * 4)) if output.html else ""
    )
    return f"\n{images}\n\n{shown}\n{html}\n\n"


def _images(
    output: Output,
    example: Example,
    script_vars: Mapping[str, Any],
    gallery_conf: Mapping[str, Any],
) -> str:
    targets = []
    for name in output.figures:
        target = Path(next(script_vars["image_path_iterator"])).with_suffix(".svg")
        shutil.copyfile(example.record_path.with_name(name), target)
        targets.append(target)
    return str(figure_rst(targets, gallery_conf["src_dir"]))


def _remove_figures(example: Example, images: Path) -> None:
    """Remove the figures of an earlier build, of which the record may have fewer now."""
    for old in images.glob(f"sphx_glr_{example.stem}_[0-9][0-9][0-9].svg"):
        old.unlink()
    if example.record is None or not example.record.figures:
        thumbnail = images / "thumb" / f"sphx_glr_{example.stem}_thumb.svg"
        thumbnail.unlink(missing_ok=True)


def remove_orphans(library: Library, gallery: Path) -> None:
    """Remove the pages of examples that are gone: sphinx-gallery leaves them for Sphinx to read."""
    kept = {
        example.path.relative_to(library.folder).with_suffix(".rst")
        for example in library.examples.values()
    }
    kept |= {page.with_name("index.rst") for page in kept} | {Path("index.rst")}
    for page in gallery.rglob("*.rst"):
        if page.relative_to(gallery) not in kept:
            page.unlink()


def forget_changed(
    library: Library, gallery: Path, settings: Mapping[str, Any]
) -> None:
    """Have sphinx-gallery write again the pages whose record is another than when they were made.

    It compares scripts; what else a page is made from is summed up in a file beside it.
    """
    seam = Path(__file__).read_text("utf-8") + repr(sorted(settings.items(), key=str))
    for example in library.examples.values():
        script = gallery / example.path.relative_to(library.folder)
        made_from = checksum("\n".join((seam, *_made_from(example))).encode())
        note = script.with_suffix(".evidence")
        if not note.exists() or note.read_text() != made_from:
            script.with_name(f"{script.name}.md5").unlink(missing_ok=True)
            script.parent.mkdir(parents=True, exist_ok=True)
            note.write_text(made_from)


def _made_from(example: Example) -> Iterator[str]:
    yield f"{example.stale} {example.problem}"
    if example.record is not None:
        yield checksum(example.record_path.read_bytes())


def install(library: Library) -> Replay:
    """Have sphinx-gallery replay the records of this library from now on."""
    replay = Replay(library)
    gen_rst.execute_script = replay.execute_script
    return replay


class EvidenceRecordDirective(SphinxDirective):
    """The footer of an example's page: its builder, and everything it measured."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Show the record, and note it and its figures as dependencies of the page."""
        (stem,) = self.arguments
        domain = evidence_of(self.env)
        domain.note_examples([stem])
        example = domain.library.examples[stem]
        section = nodes.container(classes=["evidence-record"], ids=["measured"])
        self.env.domains.standard_domain.note_hyperlink_target(
            f"evidence-{stem}", self.env.docname, "measured", stem
        )
        if example.record is None:
            it = "" if example.script is None else "it "
            cause = f"{it}{example.problem}"
            return [section, _banner(f"This example has no usable record: {cause}.")]
        if example.stale:
            section += _banner(
                "The code of this example changed since it was measured."
            )
        section += nodes.rubric("Measured", "Measured")
        section += builder_line(domain.library, example)
        section += measured_tables(example.record)
        return [section]


def _banner(text: str) -> nodes.warning:
    return nodes.warning("", nodes.paragraph(text, text))
