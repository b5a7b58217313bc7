"""Cards: the picture that a preview of a link shows, with a number, a sentence and a machine.

They are drawn from texts alone, in matplotlib's own font, and kept by their content.
"""

from __future__ import annotations

import shutil
import textwrap
from functools import cache
from pathlib import Path

import matplotlib
from PIL import Image, ImageDraw, ImageFont

from evidence.records.store import checksum

#: What previews show whole, in pixels.
SIZE = 1200, 630
#: White, the colour of the site, that of its text, and a lighter one.
PALETTE = [255, 255, 255, 11, 83, 148, 27, 31, 36, 92, 99, 112]
BRAND, TEXT, QUIET = 1, 2, 3
#: What changes when the cards look different.
LOOK = Path(__file__).read_bytes()


@cache
def font(size: int, weight: str = "") -> ImageFont.FreeTypeFont:
    """A font that matplotlib brings, laid out alike everywhere."""
    path = Path(matplotlib.get_data_path(), "fonts", "ttf", f"DejaVuSans{weight}.ttf")
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


def draw(site: str, number: str, sentence: str, line: str) -> Image.Image:
    """A card; its letters have no grey edges, which would quadruple the file."""
    image = Image.new("P", SIZE)
    image.putpalette(PALETTE)
    pen = ImageDraw.Draw(image)
    pen.fontmode = "1"
    pen.rectangle((0, 0, 24, SIZE[1]), BRAND)
    pen.text((80, 48), site, BRAND, font(32, "-Bold"))
    pen.text((80, 100), number, TEXT, font(104 if len(number) < 16 else 56, "-Bold"))
    lines = textwrap.wrap(sentence, 46, max_lines=6, placeholder=" …")
    pen.multiline_text((80, 240), "\n".join(lines), TEXT, font(40), spacing=8)
    pen.text((80, 560), line, QUIET, font(28))
    return image


def write(target: Path, cache: Path, *texts: str) -> None:
    """Write the card with these texts, or copy the one that an earlier build drew."""
    cache.mkdir(exist_ok=True)
    kept = cache / f"{checksum(LOOK + repr(texts).encode())}.png"
    if not kept.exists():
        # A build that is interrupted leaves no half of a card.
        drawn = cache / target.name
        draw(*texts).save(drawn, "PNG", compress_level=4)  # 6 takes twice the time
        drawn.replace(kept)
    shutil.copyfile(kept, target)
