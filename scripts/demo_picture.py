"""Draws `memdir demo` as a moving picture.

Usage: python scripts/demo_picture.py docs/pictures/demo.svg
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

COLUMNS, ROWS = 112, 30
CHARACTER, LINE, MARGIN = 7.8, 18, 16
SECONDS = 5
"""How long one page of the terminal is shown."""

STYLES = (("day", r"━━"), ("step", r"\d+\. "), ("typed", r"   \$ "))
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-size="13"
 font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" role="img" aria-label="memdir demo">
<style>
text {{ fill: #d6dae0; white-space: pre; }} .day {{ fill: #6cc7d9; font-weight: bold; }}
.step {{ fill: #ffffff; font-weight: bold; }} .typed {{ fill: #8fd694; }}
.page {{ opacity: 0; animation: show {total}s steps(1) infinite; }}
@keyframes show {{ 0% {{ opacity: 1; }} {share:.4f}% {{ opacity: 0; }} }}
</style>
<rect width="100%" height="100%" rx="10" fill="#14181d"/>
"""


def main() -> None:
    """Run the demo and write the picture."""
    command = [sys.executable, "-m", "memdir", "demo", "--fast"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    told = re.sub(r"(memdir-demo)-\w+", r"\1", told)  # the same picture each time
    pages = list(_pages(told))
    total = SECONDS * len(pages)
    width, height = round(COLUMNS * CHARACTER + 2 * MARGIN), ROWS * LINE + 2 * MARGIN
    parts = [HEAD.format(width=width, height=height, total=total, share=100 / len(pages))]
    for number, page in enumerate(pages):
        parts.append(f'<g class="page" style="animation-delay: {number * SECONDS}s">\n')
        parts += [*_rows(page), "</g>\n"]
    Path(sys.argv[1]).write_text("".join([*parts, "</svg>\n"]), encoding="utf-8")


def _pages(told: str) -> Iterator[list[str]]:
    """Cut what was told into screens: a step begins on a new one where the present one is too full for it."""
    page: list[str] = []
    for step in re.split(r"\n(?=\d+\. |━━)", told.strip("\n")):
        lines = [line[:COLUMNS] for line in step.split("\n")][:ROWS]
        is_title = not any(re.match(r"\d+\. ", line) for line in page) and len(page + lines) <= ROWS
        if page and not is_title:
            yield page
            page = []
        page += lines
    yield page


def _rows(page: list[str]) -> Iterator[str]:
    sort = ""
    for place, line in enumerate(page):
        known = next((name for name, pattern in STYLES if re.match(pattern, line)), "")
        sort = known or (sort if sort == "step" and line.strip() else "")
        if line.strip():
            y = MARGIN + (place + 1) * LINE - 5
            yield f'<text x="{MARGIN}" y="{y}" class="{sort}">{escape(line)}</text>\n'


if __name__ == "__main__":
    main()
