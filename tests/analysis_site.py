"""A tiny site with an analysis page, and with the real site's settings for it.

Not in ``conftest``: the mutants run without the site's conf.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import ROOT, Site, green, notebook
from evidence.records.model import Plain, Table
from factories import timing

if TYPE_CHECKING:
    from pathlib import Path

#: For conf.py: what the real site sets for its analysis pages.
ANALYSIS = 'extensions = ["evidence", "myst_nb"]\n' + "".join(
    line
    for line in (ROOT / "conf" / "conf.py").read_text().splitlines(keepends=True)
    if line.startswith(("nb_", "exclude_patterns"))
)

FURO = f'html_theme = "furo"\ntemplates_path = ["{ROOT}/conf/_templates"]\n'

TABLE = """\
code::tags: [hide-input]

from evidence.analysis import claim, computed, draw, load, show_table

copy = load("copy")
rows = [
    (
        claim("copy-is-faster", "use `it`"),
        (copy.value("speedup"), " of ", computed("n", [2, 4])),
    ),
]
show_table(["What to do", "Measured"], rows)
"""

FIGURE = """\
code:import numpy as np


def rising(axes):
    sweep = copy.rows("sweep")
    axes.plot(np.array([row["copy_s"].value for row in sweep]), label="copied")
    return sweep


draw(rising, alt="It rises.", caption="See *this*.")
"""

ROWS = tuple({"size_bytes": Plain(n), "copy_s": timing(n, n + 2)} for n in (1024, 4096))
MEASURED = {"speedup": timing(4.9, 5.1), "sweep": Table(ROWS)}


def write(folder: Path) -> Site:
    """Write a site with an analysis page: a table, a figure, and printed text."""
    site = green(folder)
    site.record(measured=MEASURED)
    text = notebook(TABLE, "Between.", FIGURE, "code:print('printed')")
    site.write("docs/deep/which.md", text)
    return site
