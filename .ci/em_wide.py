"""Make the font that stands for Han while figures are drawn: one glyph, an em wide.

It is in no page. The reader's browser has a font that writes Han; matplotlib has none, and would
warn of each and take it for wider. Run by hand: ``python .ci/em_wide.py``.
"""

from __future__ import annotations

from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

FONT = Path("conf/evidence/figures/em_wide.ttf")
#: Han with their punctuation, kana, Hangul, and wide forms of other letters.
WIDE = (
    *((0x2E80, 0xA4CF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFE30, 0xFE4F)),
    *((0xFF00, 0xFF60), (0xFFE0, 0xFFE6), (0x20000, 0x3FFFD)),
)
EM, ASCENT, DESCENT = 1000, 880, -120
#: The one table of characters in which a whole range has the same glyph: 13, for all of Unicode.
RANGES, WINDOWS, ALL = 13, 3, 10


def make(path: Path) -> None:
    """Write the font."""
    font = FontBuilder(EM, isTTF=True)
    font.setupGlyphOrder([".notdef", "em"])
    # As high as Han are; nobody sees it.
    square = TTGlyphPen(None)
    square.moveTo((0, DESCENT))
    for corner in (0, ASCENT), (EM, ASCENT), (EM, DESCENT):
        square.lineTo(corner)
    square.closePath()
    font.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "em": square.glyph()})
    font.setupHorizontalMetrics({".notdef": (0, 0), "em": (EM, 0)})
    font.setupHorizontalHeader(ascent=ASCENT, descent=DESCENT)
    font.setupNameTable({"familyName": "Em Wide", "styleName": "Regular"})
    font.setupCharacterMap({})
    font.setupOS2()
    font.setupPost(keepGlyphNames=False)
    table = CmapSubtable.newSubtable(RANGES)
    table.platformID, table.platEncID, table.language = WINDOWS, ALL, 0
    table.cmap = {code: "em" for first, last in WIDE for code in range(first, last + 1)}
    font.font["cmap"].tables = [table]
    # It is the same whenever it is made.
    font.font.recalcTimestamp = False
    font.font["head"].created = font.font["head"].modified = 0
    font.save(path)


if __name__ == "__main__":
    make(FONT)
