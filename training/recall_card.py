"""The card of the recall judge: its data, what cross-validation gave, the date, and the licences."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.coding.recall_figures import table

from training.recall_data import author_of, rows_in

__all__ = ["write_card"]

LICENCES = {
    "all-MiniLM-L6-v2": "Apache-2.0: the encoder that training starts from",
    "training/data": "Apache-2.0: written for this project",
    "realmem": "Apache-2.0: public chats, so that nothing known is forgotten",
    "metatool": "MIT: descriptions of tools, for the same",
}


def write_card(path: Path, folders: Sequence[Path], variants: Mapping[str, Any]) -> None:
    """Write the card as JSON and as Markdown."""
    card = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "data": _data(folders),
        "measured": "cross-validation: neither network nor regression saw the author whom they judged; "
        "of author n, half of the stores",
        "variants": {
            name: {
                "in full from": one.certain,
                "as a line from": one.likely,
                "figures": {part: asdict(row) for part, row in one.figures.items()},
            }
            for name, one in variants.items()
        },
        "licences": LICENCES,
    }
    path.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(_text(card, variants), encoding="utf-8")


def _data(folders: Sequence[Path]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for folder in folders:
        for name, what in (("corpus", "memories"), ("queries", "prompts")):
            for row in rows_in(folder, name):
                counts = found.setdefault(author_of(row["group"]), {"memories": 0, "prompts": 0})
                counts[what] += 1
    return dict(sorted(found.items()))


def _text(card: Mapping[str, Any], variants: Mapping[str, Any]) -> str:
    data = [f"| {name} | {row['memories']} | {row['prompts']} |" for name, row in card["data"].items()]
    lines = [f"# Recall judge, {card['date']}", "", f"Measured by {card['measured']}.", ""]
    lines += ["| author | memories | prompts |", "|---|---|---|", *data]
    for name, one in variants.items():
        lines += ["", f"## {name}: in full from {one.certain:.2f}, as a line from {one.likely:.2f}", ""]
        lines += [table(one.figures)]
    lines += ["", "## Licences", "", *(f"- {name}: {text}" for name, text in card["licences"].items())]
    return "\n".join(lines) + "\n"
