"""The real site's settings of analysis pages, for a tiny one.

Not in ``conftest``: the mutants run without the site's conf.py.
"""

from __future__ import annotations

from conftest import ROOT

#: For conf.py: what the real site sets for its analysis pages.
ANALYSIS = 'extensions = ["evidence", "myst_nb"]\n' + "".join(
    line
    for line in (ROOT / "conf" / "conf.py").read_text().splitlines(keepends=True)
    if line.startswith(("nb_", "exclude_patterns"))
)
