"""Cards: the picture that a preview of a link shows, with a number, a sentence and a machine.

They are drawn from texts alone, in matplotlib's own font, and kept by their content.
"""

from __future__ import annotations

import shutil
import textwrap
import zlib
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


@cache
def letter(char: str, size: int, weight: str) -> tuple[Image.Image, int, int, float]:
    """A letter, where it begins, and how far behind it the next one stands.

    It has no grey edges, which would quadruple the file. Cards are long texts in few letters, and
    to draw one takes five times as long as to copy it.
    """
    face = font(size, weight)
    left, top, right, bottom = map(int, face.getbbox(char, "1"))
    image = Image.new("1", (right - left, bottom - top))
    ImageDraw.Draw(image).text((-left, -top), char, 1, face)
    return image, left, top, face.getlength(char, "1")


def text(
    pen: ImageDraw.ImageDraw, y: int, chars: str, ink: int, size: int, weight: str = ""
) -> None:
    """Write a line letter by letter, with each where the basic layout has it."""
    x = 80.0
    for char in chars:
        image, left, top, width = letter(char, size, weight)
        pen.bitmap((round(x) + left, y + top), image, ink)
        x += width


def draw(site: str, number: str, sentence: str, line: str) -> Image.Image:
    """A card."""
    image = Image.new("P", SIZE)
    image.putpalette(PALETTE)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, 24, SIZE[1]), BRAND)
    text(pen, 48, site, BRAND, 32, "-Bold")
    text(pen, 100, number, TEXT, 104 if len(number) < 16 else 56, "-Bold")
    lines = textwrap.wrap(sentence, 46, max_lines=6, placeholder=" …")
    for row, chars in enumerate(lines):
        text(pen, 240 + 46 * row, chars, TEXT, 40)
    text(pen, 560, line, QUIET, 28)
    return image


def write(target: Path, cache: Path, *texts: str) -> None:
    """Write the card with these texts, or copy the one that an earlier build drew."""
    cache.mkdir(exist_ok=True)
    kept = cache / f"{checksum(LOOK + repr(texts).encode())}.png"
    if not kept.exists():
        # A build that is interrupted leaves no half of a card.
        drawn = cache / target.name
        # Letters are runs of one colour: other ways take longer, and make larger files.
        draw(*texts).save(drawn, "PNG", compress_type=zlib.Z_RLE)
        drawn.replace(kept)
    shutil.copyfile(kept, target)
