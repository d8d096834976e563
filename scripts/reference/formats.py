"""docs/formats.md: the keys of each record as the code writes one; formats.txt says what they mean."""

import json
import re
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scripts.reference.files import cache_titles, file_patterns
from scripts.reference.text import beginning, code, table

from memdir import Draft, Memory
from memdir.conversation.messages import ROLES
from memdir.extract.extractor import messages_source
from memdir.memories.change import Operation
from memdir.memories.draft import render_draft
from memdir.memories.history.recorder import Recorder
from memdir.memories.topic import ACTORS, SOURCES, Kind, Provenance
from memdir.models.ledger import Caps, Ledger
from memdir.models.protocol import Message, Question, Usage
from memdir.rules.decisions import PastDecision
from memdir.text.value import replace

__all__ = ["MEANINGS", "page", "written_keys"]

_NOW = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)
_SAID = (
    "remember that the security audit is on Friday",
    "Bei uns wird freitags nie deployt, der Support ist dann nicht besetzt.",
)
"""What is learned from a conversation: the first is saved, the second waits in the inbox."""


def page() -> str:
    """Return the whole page."""
    text = beginning("formats.md")
    for record, keys in written_keys().items():
        titles = cache_titles() if record == "cache" else {}
        head = [_HEADS.get(record, "key"), *(["begins with"] if titles else []), "meaning"]
        rows = [
            [
                code(key),
                *([code(titles[key])] if titles else []),
                MEANINGS[record].get(key, "say it in formats.txt"),
            ]
            for key in keys
        ]
        text = text.replace(f"{{{record}}}\n", table(head, rows))
    return text


@cache
def written_keys() -> Mapping[str, tuple[str, ...]]:
    """Return the keys of each record, in the order in which the code writes them."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        found = {**_header(), "journal": _journal(folder), "ledger": _ledger(folder), **_of_memory(folder)}
        found |= {"decision": [*PastDecision.__match_args__], **_heard()}
        found |= {"file": [*file_patterns(MEANINGS["file"])], "cache": [*cache_titles()]}
        return {record: tuple(dict.fromkeys(keys)) for record, keys in found.items()}


def _meanings() -> Mapping[str, Mapping[str, str]]:
    values = {"kinds": Kind, "sources": SOURCES, "actors": ACTORS, "roles": ROLES}
    named = {name: ", ".join(map(code, some)) for name, some in values.items()}
    found: dict[str, dict[str, str]] = {}
    for line in beginning("formats.txt").splitlines():
        record, key, meaning = line.split(": ", 2)
        found.setdefault(record, {})[key] = meaning.format(**named)
    return found


MEANINGS = _meanings()
"""What each key means, by record."""


_HEADS = {"trailers": "trailer", "decision": "field", "file": "file", "cache": "file"}
"""What the first column of a table is called, where that is not a key."""


class _Message(dict[str, object]):
    """A message or a part of one that notes which of its keys are asked for."""

    def __init__(self, asked: list[str], **values: object) -> None:
        super().__init__(values)
        self._asked = asked

    def get(self, key: str, default: Any = None) -> Any:
        self._asked.append(key)
        return super().get(key, default)


def _heard() -> dict[str, list[str]]:
    """Return the keys that are looked at in messages of each role, and in the blocks of their content."""
    keys, inside = list[str](), list[str]()
    for role in ROLES:
        blocks = [_Message(inside, type=kind, text="x") for kind in ("text", "tool_use", "tool_result")]
        messages_source([_Message(keys, role=role, content=blocks)]).read(None)
    return {"message": keys, "block": inside}


def _header() -> dict[str, list[str]]:
    draft = Draft("x", "user", "x", "x", title="x", pinned=True, expires="x", supersedes="x")
    draft = replace(draft, enforce="x", anchors="x")
    header = render_draft(draft, Provenance("user", "user", "x", "x"), _NOW, None).split("---")[1]
    keys = {"header": r"^(\w+): ", "metadata": r"^ +(\w+): "}
    return {record: re.findall(pattern, header, re.MULTILINE) for record, pattern in keys.items()}


def _journal(folder: Path) -> list[str]:
    done = Operation("1", "2026-11-16T09:30:00Z", "remember", Provenance("user"), ())
    Recorder(str(folder), str(folder), None).note(done)
    return _keys(folder / "journal")


def _ledger(folder: Path) -> list[str]:
    ledger, ask = Ledger(str(folder)), Question((Message("user", "x"),), job="extract")
    for failed in ("", "ModelBusy"):
        hold = ledger.hold(ask, "anthropic:claude-haiku-4-5", "one", Caps(1000, 1000), _NOW)
        ledger.settle(hold, Usage(1, 1), _NOW, failed=failed, estimated=True)
    return _keys(folder / "memdir" / "ledger" / "2026-11.jsonl")


def _of_memory(folder: Path) -> dict[str, list[str]]:
    """Let one memory write a record of each sort."""
    memory = Memory.at(folder / "memory", state=folder / "state", session="one")
    memory.extract(messages=[{"role": "user", "content": text} for text in _SAID])
    memory.history.undo(memory.remember("Run the tests with just", name="tests").operation)
    memory.remember("Run the tests with just", name="tests")
    memory.recalls.judge("please run the tests", wrong=["tests"])
    memory.recall("please run the tests")
    memory.transfer.export(str(folder / "bundle"), history=True)
    state = Path(memory.state)
    (proposal,) = (state / "inbox").glob("*.json")
    return {
        "receipt": _keys(state / "receipts"),
        "example": _keys(state / "examples"),
        "proposal": [*json.loads(proposal.read_text())],
        "trailers": _trailers(state / "history.git"),
        "bundle": [key for key in _keys(folder / "bundle") if " " not in key],
    }


def _trailers(repository: Path) -> list[str]:
    git = ["git", "--git-dir", str(repository), "log", "--format=%(trailers:only)"]
    log = subprocess.run(git, capture_output=True, text=True, check=True).stdout
    found = set(re.findall(r"^([A-Z]\w+): ", log, re.MULTILINE))
    return sorted(found, key=[*MEANINGS["trailers"], *found].index)


def _keys(file: Path) -> list[str]:
    """Return the keys of the objects of a file, one a line."""
    return [key for line in file.read_text().splitlines() for key in json.loads(line)]
