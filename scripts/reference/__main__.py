"""Write every reference page; `make docs` does it first, and a test fails where one differs.

python -m scripts.reference
"""

from pathlib import Path

from scripts.reference import commands, errors, findings, formats, settings, variables

__all__ = ["DOCS", "PAGES"]

DOCS = Path(__file__).parents[2] / "docs"

PAGES = {
    "cli.md": commands.page,
    "errors.md": errors.page,
    "findings.md": findings.page,
    "formats.md": formats.page,
    "settings.md": settings.page,
    "variables.md": variables.page,
}
"""The pages, each with the function that returns its whole text."""

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
