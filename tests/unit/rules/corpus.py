"""The corpora of rules and commands that rules are tried on."""

import json
from pathlib import Path
from typing import Any

__all__ = ["FIXTURES", "rows"]

FIXTURES = Path(__file__).parents[2] / "fixtures" / "enforce"


def rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of one corpus."""
    found: list[dict[str, Any]] = json.loads((FIXTURES / f"{name}.json").read_text())
    return found
