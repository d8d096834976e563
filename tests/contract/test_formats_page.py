"""docs/formats.md names every key that memdir writes into its records, and no other."""

import json
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdir import Memory
from memdir.memories.change import Operation
from memdir.memories.history.journal import Journal
from memdir.memories.topic import Provenance
from memdir.models.caps import Caps
from memdir.models.ledger import Ledger
from memdir.models.protocol import Message, Question, Usage

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def named(section: str) -> set[str]:
    """Return the keys in the tables of a section."""
    rows = re.findall(r"^\| (`[^|]+`) \|", SECTIONS[section], re.MULTILINE)
    return {key for row in rows for key in re.findall(r"`(\w+)`", row)}


DOUBTFUL = "Bei uns wird freitags nie deployt, der Support ist dann nicht besetzt."
NOW = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    """Make a memory that holds a record of each sort."""
    folder = tmp_path_factory.mktemp("formats")
    memory = Memory.at(folder / "memory", state=folder / "state", session="one")
    memory.remember("Run the tests with make test", name="make-test")
    memory.remember(
        "Run the tests with just test",
        name="just-test",
        title="Tests",
        supersedes="make-test",
        pinned=True,
        expires="2030-12-31",
        enforce="Bash: git push * main",
    )
    memory.recalls.judge("please run the tests", wrong=["just-test"])
    memory.recall("please run the tests")
    memory.extract(messages=[{"role": "user", "content": DOUBTFUL}])
    return memory


def test_every_key_of_a_header_is_named(memory: Memory) -> None:
    header = (Path(memory.directory) / "feedback_just-test.md").read_text().split("---")[1]
    written = set(re.findall(r"^ *(\w+):", header, re.MULTILINE))
    assert written - {"metadata"} <= named("Topic file")


@pytest.mark.parametrize("section", ["Receipt", "Example"])
def test_every_key_of_a_line_is_named_and_no_other(memory: Memory, section: str) -> None:
    file = Path(memory.state) / {"Receipt": "receipts", "Example": "examples"}[section]
    assert set(json.loads(file.read_text().splitlines()[-1])) == named(section)


def test_every_key_of_a_proposal_is_named_and_no_other(memory: Memory) -> None:
    (proposal,) = (Path(memory.state) / "inbox").glob("*.json")
    assert set(json.loads(proposal.read_text())) == named("Proposal")


def test_every_key_of_the_journal_and_trailer_of_history_is_named(memory: Memory, tmp_path: Path) -> None:
    Journal(str(tmp_path)).append(Operation("1", "2026-11-16T09:30:00Z", "remember", Provenance("user"), ()))
    keys = set(json.loads((tmp_path / "journal").read_text()))
    git = ["git", "--git-dir", str(Path(memory.state) / "history.git"), "log", "--format=%(trailers:only)"]
    log = subprocess.run(git, capture_output=True, text=True, check=True).stdout
    trailers = set(re.findall(r"^([A-Z]\w+):", log, re.MULTILINE))
    assert trailers
    assert keys | trailers <= named("Journal and history")


def test_every_key_of_a_bundle_is_named(memory: Memory, tmp_path: Path) -> None:
    memory.transfer.export(str(tmp_path / "all.memdir"), history=True)
    lines = map(json.loads, (tmp_path / "all.memdir").read_text().splitlines())
    assert {key for line in lines for key in line} - {"memdir bundle"} == named("Bundle")


def test_every_key_of_the_ledger_is_named_and_no_other(tmp_path: Path) -> None:
    ledger = Ledger(str(tmp_path))
    ask = Question((Message("user", "x"),), job="extract")
    for failed in ("", "ModelBusy"):
        hold = ledger.hold(ask, "anthropic:claude-haiku-4-5", "one", Caps(1000, 1000), NOW)
        ledger.settle(hold, Usage(1, 1), NOW, failed=failed, estimated=True)
    lines = (tmp_path / "memdir" / "ledger" / "2026-11.jsonl").read_text().splitlines()
    assert {key for line in lines for key in json.loads(line)} == named("Ledger")
