"""Figures: the site's style, and what several figures draw alike. No Sphinx in here."""

from __future__ import annotations

#: Colours in which matplotlib draws, and the CSS variables that replace them. The values are
#: arbitrary; they only must not occur otherwise.
INKS = {
    "#010101": "var(--color-foreground-primary)",
    "#010102": "var(--plot-muted)",
    "#010103": "var(--plot-grid)",
    "#010201": "var(--plot-1)",
    "#010202": "var(--plot-2)",
    "#010203": "var(--plot-3)",
    "#010204": "var(--plot-4)",
}


class PlotError(Exception):
    """A figure that cannot be drawn, or would not show what it draws."""
