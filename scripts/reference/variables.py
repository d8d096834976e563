"""docs/variables.md: every environment variable that memdir reads."""

from scripts.reference.text import code, table

from memdir.config.variables import VARIABLE_MEANINGS, VARIABLES

__all__ = ["page"]

_BEGINNING = """# Environment variables

This page is made from the code by `python -m scripts.reference`. Our names win over those of other tools for
the same thing. A switch takes `1`, `true`, `yes` or `on`, and `0`, `false`, `no` or `off`; any other value is
ignored. A variable wins over [settings](settings.md).

"""


def page() -> str:
    """Return the whole page."""
    rows = [
        (code(name), ", ".join(map(code, VARIABLES.get(name, ()))), what)
        for name, what in VARIABLE_MEANINGS.items()
    ]
    return _BEGINNING + table(("variable", "also read", "what it does"), rows)
