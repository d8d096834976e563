"""docs/findings.md: every code of the doctor, with what it means and the next command."""

from scripts.reference.text import code, table

from memdir.doctor.finding import CODES

__all__ = ["page"]

_BEGINNING = """# Findings of the doctor

This page is made from the code by `python -m scripts.reference`. `memdir doctor` names the code of each
finding first, then what is wrong, and below that what to do; `memdir doctor --fix` mends what can be mended
by rule. With `--json` the code is `code`. A *problem* makes the exit code 1; *advice* does not. `NAME` is the
memory that the finding is about.

"""


def page() -> str:
    """Return the whole page."""
    rows = [(code(name), one.meaning, one.next) for name, one in sorted(CODES.items())]
    return _BEGINNING + table(("code", "what it means", "next"), rows)
