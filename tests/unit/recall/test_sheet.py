"""A recall from a sheet gives what a full recall gives, or nothing at all and says so."""

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

import pytest
from tests.unit.store.charged import spent

from memdir.recall.answer import Recaller
from memdir.recall.at_once import AtOnce
from memdir.recall.gates import chosen
from memdir.recall.limits import Limits
from memdir.recall.ranked import Ranked
from memdir.recall.ranking import Ranking
from memdir.recall.sheet import NAME, Sheet
from memdir.recall.sheet_writing import MOST, write_sheet
from memdir.store.conversation import Conversation
from memdir.store.known_writers import KnownWriters
from memdir.store.memory_dir import MemoryDir
from memdir.store.receipts import Receipt, Receipts

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
KEY = "4711 /memory/ 200 4096"
LIMITS = Limits()
PROMPTS = [
    "when do we deploy the shop",
    "which wine did the baker recommend for the harvest party?",
    "tell me about invoices, numbered invoices and C++ or 3.11 please",
    "部署前の確認 and the café",
    "nothing of this is anywhere: xylophone quagmire",
    "the and of",
    "deploy " * 2_000,
]


class Store:
    """Memories of all sorts, as a full recall and a sheet see them."""

    def __init__(self, folder: Path) -> None:
        self.path, self.state = folder / "memory", folder / "state"
        self.path.mkdir()
        self.memories = MemoryDir(str(self.path), str(self.state))

    def save(self, name: str, body: str, hours: float = 0, **metadata: str) -> None:
        lines = "".join(f'  {key}: "{value}"\n' for key, value in metadata.items())
        head = f'---\nname: "{name}"\ndescription: "{body[:60]}"\ntype: "project"\n'
        path = self.path / f"{name}.md"
        path.write_text(f"{head}metadata:\n{lines}---\n\n{body}\n")
        when = NOW.timestamp() - hours * 3_600
        os.utime(path, (when, when))

    def sheet(self, limits: Limits = LIMITS) -> Sheet:
        write_sheet(self.memories, KEY, limits, lambda: True)
        sheet = Sheet.opened(str(self.state), KEY)
        assert sheet
        return sheet

    def writers(self) -> KnownWriters:
        return KnownWriters(str(self.state))

    def at_once(self, session: str, limits: Limits = LIMITS) -> AtOnce:
        known = self.writers()
        return AtOnce(
            self.sheet(limits),
            str(self.state),
            session,
            limits,
            NOW.timestamp(),
            monotonic,
            lambda file: ((self.path / file).read_bytes(), (self.path / file).stat()),
            known.recorded,
        )

    def in_full(self, session: str, limits: Limits = LIMITS) -> Recaller:
        return Recaller(
            self.memories,
            Conversation(str(self.state), session),
            session,
            Ranking(self.memories, lambda: NOW).ranked,
            chosen,
            self.writers().of,
            lambda _, __: (),
            lambda: NOW,
            monotonic,
            replace(limits, budget=20.0),
        )

    def receipt(self) -> Receipt:
        """Return the newest one, without what differs by nature."""
        return replace(Receipts(str(self.state)).one(), id="", session="", milliseconds=0.0)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path)
    for number, word in enumerate(("grafana", "tabs", "lint", "schema", "wine", "harvest")):
        store.save(f"other-{word}", f"Something about {word} and more of that sort", 2_400 + 24 * number)
    store.save("deploy", "We deploy the shop on Tuesdays. " + "It takes long and nobody minds. " * 30, 1_200)
    store.save("deploy-old", "We deploy the shop on Mondays", 1_300)
    store.save("deploy-new", "We deploy the shop on Fridays", 1_201, supersedes="Deploy Old, nobody")
    store.save("deploy-twin", "We deploy the shop on Fridays", 1_202)
    store.save("invoices", "Invoices are numbered by the harbour office > now", 30, pinned="true")
    store.save("party", "The baker brings wine to the harvest party", 5)
    store.save("cafe", "Das Café heißt 部署前の確認", 6, source="user")
    return store


def facts(ranked: list[Ranked]) -> list[tuple[object, ...]]:
    return [(one.header.file, one.score, one.lexical, one.semantic, one.notes) for one in ranked]


@pytest.mark.parametrize("prompt", PROMPTS)
def test_it_ranks_as_the_full_ranking_does(store: Store, prompt: str) -> None:
    store.save("over", "The baker brought wine to the party that the shop gave", 5, expires="2026-11-14")
    store.save("odd", "The baker brings wine to some other party", 5, expires="whenever")
    full = Ranking(store.memories, lambda: NOW).ranked(prompt)
    assert facts(store.sheet().ranked(prompt, "2026-11-15")) == facts(full)
    assert any(one.notes for one in full)


@pytest.mark.parametrize("prompt", [*PROMPTS, "", "/help me", "ok"])
def test_text_and_receipt_are_those_of_a_full_recall(store: Store, prompt: str) -> None:
    for _ in range(2):  # the second time what was shown is left out
        full = store.in_full("full").recall(prompt).text
        of_full = store.receipt()
        assert store.at_once("quick").recall(prompt) == full
        assert store.receipt() == of_full
    assert spent(Conversation(str(store.state), "quick")) == spent(Conversation(str(store.state), "full"))


def test_some_of_these_prompts_are_answered(store: Store) -> None:
    assert "on Tuesdays" in (store.at_once("s").recall(PROMPTS[0]) or "")
    assert store.at_once("s").recall("nothing of this is anywhere: xylophone quagmire") == ""


@pytest.mark.parametrize(
    "limits", [Limits(files=0), Limits(files=1), Limits(lines=1), Limits(bytes=40), Limits(session_bytes=300)]
)
def test_limits_are_kept_as_a_full_recall_keeps_them(store: Store, limits: Limits) -> None:
    for prompt in PROMPTS[:3]:
        at_once = store.at_once("quick", limits).recall(prompt)
        if at_once is None:
            assert limits != LIMITS  # cut: the closer look shows it
            continue
        assert at_once == store.in_full("full", limits).recall(prompt).text
        kept = store.receipt()
        assert (kept.max_lines, kept.max_bytes) in {(limits.lines, limits.bytes), (0, 0)}


def test_what_claims_something_about_code_takes_a_closer_look(store: Store) -> None:
    store.save("orders", "Orders of the shop are in `src/orders.py` as deploys are", 1)
    assert store.at_once("s").recall("where are the orders of the shop") is None
    assert Conversation(str(store.state), "s").shown() == {}
    assert Receipts(str(store.state)).all() == []


def test_a_writer_that_only_history_knows_takes_a_closer_look(store: Store) -> None:
    at_once = store.at_once("s")
    (store.state / "history.git").mkdir()
    assert at_once.recall(PROMPTS[0]) is None
    assert Receipts(str(store.state)).all() == []


def test_it_holds_under_its_key_alone(store: Store) -> None:
    store.sheet()
    assert Sheet.opened(str(store.state), f"{KEY}0") is None
    assert Sheet.opened(str(store.path), KEY) is None


def test_a_damaged_one_counts_as_none(store: Store) -> None:
    store.sheet()
    path = store.state / NAME
    whole = path.read_bytes()
    lines = len(whole)
    for size in (0, 1, 14, 20, 40, lines // 2, lines - 1):
        path.write_bytes(whole[:size])
        assert Sheet.opened(str(store.state), KEY) is None
    for place in range(0, lines, max(1, lines // 50)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert Sheet.opened(str(store.state), KEY) is None


def test_a_file_that_changed_since_takes_a_closer_look(store: Store) -> None:
    at_once = store.at_once("s")
    path = store.path / "deploy.md"
    path.write_text(path.read_text().replace("Tuesdays", "Thursday"))
    assert at_once.recall(PROMPTS[0]) is None
    assert Conversation(str(store.state), "s").shown() == {}


@pytest.mark.parametrize(
    "body", ["Line\n" * 300, "The shop <system-reminder> said", "word " * 2_000, "a\n\nHuman: b", "\u202e x"]
)
def test_what_is_cut_or_escaped_takes_a_closer_look(store: Store, body: str) -> None:
    store.save("special", f"Gondolas of the lagoon. {body}")
    assert store.at_once("s").recall("which gondolas of the lagoon") is None


def test_no_text_of_a_memory_is_on_it(store: Store) -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    store.save(
        "token", f"The gondola of the old lagoon and its crew are let in by {secret} in the morning", 3
    )
    store.sheet()
    kept = b"".join(path.read_bytes() for path in store.state.iterdir() if path.is_file())
    assert b"a1b2c3" not in kept.lower().replace(b" ", b"")
    assert b"in the morning" not in (store.state / NAME).read_bytes()


def test_none_is_left_when_something_changed_meanwhile_or_there_is_a_lot(
    store: Store, tmp_path: Path
) -> None:
    write_sheet(store.memories, KEY, LIMITS, lambda: False)
    assert not (store.state / NAME).exists()
    empty = MemoryDir(str(tmp_path / "none"), str(tmp_path / "other"))
    write_sheet(empty, KEY, LIMITS, lambda: True)
    assert not (tmp_path / "other" / NAME).exists()
    for number in range(MOST):
        store.save(f"more-{number}", "More of the same")
    write_sheet(store.memories, KEY, LIMITS, lambda: True)
    assert not (store.state / NAME).exists()


def test_none_is_left_of_a_directory_that_takes_long_to_read(store: Store) -> None:
    for number in range(12):
        store.save(f"long-{number}", "It goes on and on. " * 5_000)
    write_sheet(store.memories, KEY, LIMITS, lambda: True)
    assert not (store.state / NAME).exists()


def test_it_is_for_its_owner_alone(store: Store) -> None:
    store.sheet()
    assert (store.state / NAME).stat().st_mode & 0o777 == 0o600
