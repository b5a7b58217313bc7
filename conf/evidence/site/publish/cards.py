"""Cards: the picture that a preview of a link shows, with a number, a sentence and a machine.

They are drawn from texts alone, in matplotlib's own font, and so alike everywhere.
"""

from __future__ import annotations

import textwrap
import zlib
from importlib.metadata import distribution
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

#: What previews show whole, in pixels.
SIZE = 1200, 630
#: White, the colour of the site, that of its text, and a lighter one.
PALETTE = [255, 255, 255, 11, 83, 148, 27, 31, 36, 92, 99, 112]
BRAND, TEXT, QUIET = 1, 2, 3


def font(size: int, weight: str = "") -> ImageFont.FreeTypeFont:
    """A font that matplotlib brings, laid out alike everywhere."""
    # To load matplotlib for its folder takes as long as a hundred cards.
    path = f"matplotlib/mpl-data/fonts/ttf/DejaVuSans{weight}.ttf"
    file = str(distribution("matplotlib").locate_file(path))
    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)


def draw(site: str, number: str, sentence: str, line: str) -> Image.Image:
    """A card."""
    image = Image.new("P", SIZE)
    image.putpalette(PALETTE)
    pen = ImageDraw.Draw(image)
    # Letters without grey edges, which would quadruple the file.
    pen.fontmode = "1"
    pen.rectangle((0, 0, 24, SIZE[1]), BRAND)
    pen.text((80, 48), site, BRAND, font(32, "-Bold"))
    pen.text((80, 100), number, TEXT, font(104 if len(number) < 16 else 56, "-Bold"))
    lines = textwrap.wrap(sentence, 46, max_lines=6, placeholder=" …")
    for row, words in enumerate(lines):
        pen.text((80, 240 + 46 * row), words, TEXT, font(40))
    pen.text((80, 560), line, QUIET, font(28))
    return image


def write(target: Path, *texts: str) -> None:
    """Write the card with these texts."""
    target.parent.mkdir(parents=True, exist_ok=True)
    # Letters are runs of one colour: other ways take longer, and make larger files.
    draw(*texts).save(target, "PNG", compress_type=zlib.Z_RLE)
