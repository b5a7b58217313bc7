"""The seam to sphinx-gallery: examples are rendered from their records and never executed.

sphinx-gallery walks the folder, parses the scripts, writes pages, thumbnails, notebooks and
downloads as always. Only its ``execute_script`` is replaced, by a function that hands back the
recorded outputs in the same form, and what it refuses spaces in: the names of scripts and chapters,
not the folder of the repository. ``tests/test_private_names.py`` fails when what is used of its
internals changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import indent
from types import ModuleType
from typing import Any

from docutils import nodes
from sphinx.errors import ConfigError
from sphinx.util.docutils import SphinxDirective
from sphinx_gallery import gen_gallery, gen_rst, utils
from sphinx_gallery.scrapers import figure_rst

from evidence.examples.library import HEADER, Example, Library, plain
from evidence.figures.drawing import thumbnail
from evidence.records.store import record_path
from evidence.site.domain import evidence_of
from evidence.site.look.evidence import measured_tables
from evidence.site.look.nodes import file_link, paragraph
from evidence.site.look.words import _, answered, builder_line

#: What begins or announces a block in reStructuredText, but for a note or warning of words.
_WORDS = r"[ \t]*\.\. (?:note|warning)::(?:.*[^:\s])?[ \t]*$"
_BLOCK = re.compile(
    rf"(?m)^(?!{_WORDS})(?:[ \t]*(?:\.\.|>>>|__)(?:[ \t].*)?|.*::[ \t]*)$"
)
#: What the profiler of PyTorch 2.14 prints when it starts or stops, a thousand times in a sweep.
_ANNOUNCED = re.compile(r"(?m)^USDT:.*\] profiler_(?:start|stop)\n")

_refuse_spaces = utils.check_spaces_in_filenames

# No example runs here, and a build that draws nothing need not load it.
gen_gallery._import_matplotlib = lambda: None


def install(library: Library) -> dict[Path, Example]:
    """Have sphinx-gallery replay the records of a library from now on.

    Gives what will hold the examples whose page this build writes, by the page.

    :raises ConfigError: when the text of a chapter or, later, of an example is more than sentences
    """
    for header in library.folder.rglob(HEADER):
        _refuse_blocks(header.read_text("utf-8"), header)
    rendered: dict[Path, Example] = {}
    examples = {example.path: example for example in library.examples.values()}

    def execute_script(
        script_blocks: Sequence[Any],
        script_vars: dict[str, Any],
        gallery_conf: Mapping[str, Any],
        file_conf: Mapping[str, Any],  # noqa: ARG001 - the signature is sphinx-gallery's
    ) -> tuple[list[str], float]:
        """Give back the recorded output of each block, and the recorded seconds."""
        example = examples[Path(script_vars["src_file"]).resolve()]
        for block in script_blocks:
            if block.type == "text":
                _refuse_blocks(block.content, example.path)
        rendered[Path(script_vars["target_file"]).with_suffix("")] = example
        source = gallery_conf["src_dir"]
        shown = [*_outputs(example, script_blocks, script_vars, source)]
        # Below the last code, if there is any: what stands behind a text block is not shown.
        code = [i for i, block in enumerate(script_blocks) if block.type == "code"]
        shown[max(code, default=0)] += f"\n.. evidence-record:: {example.stem}\n\n"
        _pretend_to_have_run(script_vars)
        return shown, example.record.seconds if example.record is not None else 0.0

    def check_spaces_in_filenames(files: Sequence[str]) -> None:
        """Refuse spaces in what is part of an address: a chapter's name, and a script's."""
        _refuse_spaces([Path(*Path(file).parts[-2:]) for file in files])

    gen_rst.execute_script = execute_script
    utils.check_spaces_in_filenames = check_spaces_in_filenames
    return rendered


def _refuse_blocks(text: str, path: Path) -> None:
    """Refuse what could show anything, such as a picture or output, in text that is not ours."""
    if match := _BLOCK.search(text):
        found = match[0].strip()
        message = f"{found!r} makes a block, which could show anything; write sentences"
        raise ConfigError(f"{path.parent.name}/{path.name}: {message}")


def is_rendered(library: Library, gallery: Path) -> bool:
    """Whether every example has its page already, as sphinx-gallery notes beside the page."""
    for path in (example.path for example in library.examples.values()):
        note = gallery / path.relative_to(library.folder).with_suffix(".py.md5")
        if not note.exists() or note.read_text() != utils.get_md5sum(path, mode="t"):
            return False
    return (gallery / "index.rst").exists()


def _outputs(
    example: Example,
    script_blocks: Sequence[Any],
    script_vars: Mapping[str, Any],
    source: str,
) -> Iterator[str]:
    """What stands behind each block, as reST; nothing without a usable record: the footer says why.

    :param source: the folder of the pages
    """
    record, script = example.record, example.script
    outputs = iter(record.outputs if record and not example.stale else ())
    # A script that is no Python comes as one block, and has no cells.
    cells = {cell.line for cell in script.cells} if script else ()
    for block in script_blocks:
        output = next(outputs, None) if block.lineno in cells else None
        if output is None:
            yield ""
            continue
        targets = []
        for name in output.figures:
            target = Path(next(script_vars["image_path_iterator"])).with_suffix(".svg")
            svg = example.record_path.with_name(name).read_text("utf-8")
            target.write_text(thumbnail(svg), encoding="utf-8")
            targets.append(target)
        images = figure_rst(targets, source)
        text = indent(plain(_ANNOUNCED.sub("", output.text)), "    ")
        shown = gen_rst.CODE_OUTPUT.format(text) if text.strip() else ""
        yield f"\n{images}\n\n{shown}\n\n"


def _pretend_to_have_run(script_vars: dict[str, Any]) -> None:
    """Leave behind what sphinx-gallery reads after it executed a script."""
    script_vars["fake_main"] = ModuleType("__main__")
    script_vars["example_globals"] = script_vars["fake_main"].__dict__
    script_vars["memory_delta"] = 0.0
    script_vars["passing"] = True
    target = Path(script_vars["target_file"])
    digest = utils.get_md5sum(str(target), mode="t")
    target.with_name(target.name + ".md5").write_text(digest)


class EvidenceRecordDirective(SphinxDirective):
    """The footer of an example's page: its builder, and everything it measured."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Show the record, and note it and its figures as dependencies of the page."""
        (stem,) = self.arguments
        domain, page = evidence_of(self.env), self.env.docname
        library = domain.site.library
        domain.note_example(stem)
        section = nodes.container(classes=["evidence-record"], ids=["measured"])
        section["made"] = True  # no page can set it
        labels = self.env.domains.standard_domain
        labels.note_hyperlink_target(f"evidence-{stem}", page, "measured", stem)
        example = library.examples[stem]
        link = file_link(_("record"), library.shown(record_path(example.path)), page)
        answer = answered(domain.site, [stem])
        section += list(_footer(example, link, self.config.language, answer))
        return [section]


def _footer(
    example: Example, link: nodes.Node, language: str, answer: str
) -> Iterator[nodes.Node]:
    record = example.record
    if record is None:
        cause = f"it {example.problem}" if example.script else example.problem
        text = _("This example has no usable record: {cause}.")
        yield _banner(text.format(cause=cause))
        return
    if example.stale:
        yield _banner(_("The code of this example has changed since it was measured."))
    yield nodes.rubric("", _("Measured"))
    yield builder_line(record, link, language, answer)
    yield from measured_tables(record)


def _banner(text: str) -> nodes.warning:
    return nodes.warning("", paragraph(text))
