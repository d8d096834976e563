"""Whatever a model does in a dream, no statement vanishes without a word, and undo brings everything back."""

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.tool_calls import calls
from tests.unit.dream.dream_run import (
    NOW,
    USER,
    contents,
    dreamed,
    filled,
    memory,
    waiting,
    writer_at,
)

from memdir.dream.dreamer import APPLIED, FAILED, INBOX, WOULD
from memdir.dream.ledger import DROPPED, LOST, MERGED, SUPERSEDED, LedgerEntry
from memdir.memories.history.undo import undo_operation, undoable

FILES = ["project_a.md", "project_b.md", "project_c.md"]
SUBJECTS = ["deploys", "releases", "backups", "reviews", "tokens", "meetings"]
LINES = st.builds(
    "{} of the {} team are due on day {}.".format,
    st.sampled_from([subject.title() for subject in SUBJECTS]),
    st.sampled_from(["shop", "search", "billing"]),
    st.integers(1, 28),
)
BODIES = st.lists(LINES, min_size=1, max_size=4, unique=True)
TWISTS = st.sampled_from(["{}", "{}", "{}", "It is not true that {}", "- {}", "# Never\n\n{}", "~~{}~~", ""])


TURNS: st.SearchStrategy[Callable[[str], str]] = st.sampled_from(
    [
        str,
        str,
        lambda line: line.replace(" are ", " are not "),
        lambda line: line.replace(" are due", " need never be"),
        lambda line: re.sub(r"\d+", lambda found: str(int(found[0]) % 28 + 1), line),
        lambda line: re.sub(r"^\w+", "Lunches", line),
        lambda line: line.replace(".", ", unless nobody asks."),
    ]
)
"""What makes another claim of a line: a negation, another number, another name, a way out."""
HEADERS = st.sampled_from(
    [
        "",
        "",
        "",
        'metadata:\n  expires: "2020-01-01"\n',
        'metadata:\n  supersedes: "a"\n',
        'metadata:\n  pinned: "true"\n  enforce: "Bash: *"\n',
        'metadata:\n  type: "user"\n  source: "user"\n',
    ]
)
PATHS = st.sampled_from([*FILES, "project_new.md", "MEMORY.md", "../out.md"])
Call = tuple[str, dict[str, Any]]


@st.composite
def a_call(draw: st.DrawFn, lines: list[str]) -> Call:
    """Draw what a model might call: to keep some lines, to turn others around, to invent, to lie about it."""
    path, verb = (
        draw(PATHS),
        draw(st.sampled_from(["write", "write", "forget", "edit", "account", "account"])),
    )
    if verb == "write":
        kept = draw(st.lists(st.sampled_from(lines), min_size=1, max_size=5, unique=True)) + draw(NEW)
        said = [draw(TURNS)(line) for line in kept]
        text = "\n\n".join(draw(TWISTS).format(line) for line in said).strip() or "Nothing."
        return verb, {"path": path, "text": memory(text, name=path[8:9], more=draw(HEADERS))}
    if verb == "edit":
        return verb, {"path": path, "old": f"\n{draw(st.sampled_from(lines))}", "new": draw(NEW_LINE)}
    if verb == "account":
        return verb, {"claims": draw(st.lists(ROWS, min_size=1, max_size=12))}
    return verb, {"path": path}


NEW = st.lists(LINES, max_size=1)
NEW_LINE = LINES | st.just("")
FATE = st.sampled_from(["merged", "superseded", "dropped", "dropped"])
ROWS = st.fixed_dictionaries(
    {
        "id": st.builds("{}#{}".format, st.sampled_from(FILES), st.integers(1, 4)),
        "fate": st.sampled_from(["merged", "superseded", "dropped", "dropped", "vanished"]),
        "into": st.sampled_from([*FILES, "ghost.md", ""]),
        "because": st.sampled_from(["it is over and done with", "it says the same", ""]),
    }
)


def lines_of(texts: dict[str, str]) -> set[str]:
    """Return the plain lines of all bodies and the descriptions, found without the code under test."""
    found: set[str] = set()
    for text in texts.values():
        header, body = text.split("---\n", 2)[1:]
        found |= set(re.findall(r'description: "(.*)"', header))
        found |= {line.removeprefix("- ").strip() for line in body.partition("# Never")[0].split("\n")}
    return found


def claims_of(texts: dict[str, str]) -> set[tuple[str, ...]]:
    """Return the numbers, names and denials of each line, which are all that tells these lines apart."""
    lines = "\n".join(text.split("---\n", 2)[2] for text in texts.values()).split("\n")
    found = (re.findall(r"\d+|shop|search|billing|not|never|unless|[A-Z]\w+s\b", line) for line in lines)
    return {tuple(claim) for claim in found if len(claim) > 2}


def said_again(entry: LedgerEntry, texts: dict[str, str]) -> bool:
    """Tell whether the memory that an entry names says it with the same number, name and denials."""
    (own,) = claims_of({"": f"---\n---\n{entry.statement.text}"})
    return own in claims_of({entry.into: texts[entry.into]})


@settings(max_examples=settings().max_examples // 2)
@given(bodies=st.lists(BODIES, min_size=3, max_size=3), data=st.data())
def test_no_statement_is_lost_silently(bodies: list[list[str]], data: st.DataObject) -> None:
    lines = [line for body in bodies for line in body]
    turns = data.draw(st.lists(st.lists(a_call(lines), min_size=1, max_size=6), min_size=1, max_size=2))
    if data.draw(st.booleans()):  # says something about everything, true or not
        rows = [
            {
                "id": f"{file}#{number}",
                "fate": data.draw(FATE),
                "into": data.draw(st.sampled_from(FILES)),
                "because": "it is over",
            }
            for file in FILES
            for number in range(1, 6)
        ]
        turns.append([("account", {"claims": rows})])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        texts = {
            file: memory("\n\n".join(body), name=file[8]) for file, body in zip(FILES, bodies, strict=True)
        }
        texts["project_pinned.md"] = memory("Pinned for good.", more='metadata:\n  pinned: "true"\n')
        filled(folder, texts)
        result = dreamed(folder, *(calls(*turn) for turn in turns), max_deletes=2)
        after = contents(folder)
        assert result.ended != FAILED
        if result.ended != APPLIED:
            assert after == texts
            assert bool(waiting(folder)) == (result.ended == INBOX)
            return
        dropped = {one.statement.text for one in result.ledger.of(DROPPED)}
        merged = {
            one.statement.text for one in result.ledger.of(MERGED, SUPERSEDED) if said_again(one, after)
        }
        assert lines_of(texts) <= lines_of(after) | dropped | merged
        assert claims_of(after) <= claims_of(texts)  # and nothing is said that was not
        assert not re.search("expires|supersedes|enforce|Bash|2020", "".join(after.values()))
        assert not result.ledger.of(LOST)
        assert all(one.into or one.because for one in result.ledger.entries)
        assert after["project_pinned.md"] == texts["project_pinned.md"]
        assert len(texts.keys() - after.keys()) <= 2
        writer = writer_at(folder)
        undo_operation(writer, undoable(writer.recorder.history.entries()), USER, NOW)
        assert contents(folder) == texts


@settings(max_examples=settings().max_examples // 2)
@given(
    body=BODIES,
    turn=TURNS,
    header=HEADERS,
    fate=st.sampled_from(["merged", "superseded", "dropped"]),
    at=st.integers(0, 3),
)
def test_one_line_turned_around_in_an_honest_merge_is_found(
    body: list[str], turn: Callable[[str], str], header: str, fate: str, at: int
) -> None:
    twist = body[at % len(body)]
    assume(turn(twist) == twist or turn(twist) not in body)  # else the statement is lost: the test above
    new = [*(line for line in body if line != twist), turn(twist)]
    rows = [
        {"id": f"{FILES[1]}#{number}", "fate": fate, "into": FILES[0], "because": "it says the same"}
        for number in range(1, 6)
    ]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        first = memory("Lunch is at noon.", name="a")
        filled(folder, {FILES[0]: first, FILES[1]: memory("\n\n".join(body), name="b")})
        merged = memory("\n\n".join(["Lunch is at noon.", *new]), name="a", more=header)
        steps = calls(("write", {"path": FILES[0], "text": merged}), ("forget", {"path": FILES[1]}))
        result = dreamed(folder, steps, calls(("account", {"claims": rows})), dry=True)
        assert result.ended == WOULD
        assert bool(result.objections) == (not set(new) <= set(body) or bool(header))


def test_a_dream_that_deletes_everything_and_lies_about_it_changes_nothing(tmp_path: Path) -> None:
    texts = {
        file: memory(f"{subject.title()} are due.", name="x")
        for file, subject in zip(FILES, SUBJECTS, strict=False)
    }
    filled(tmp_path, texts)
    gone = calls(*(("forget", {"path": file}) for file in FILES))
    lies = [
        {"id": f"{file}#1", "fate": "merged", "into": FILES[0], "because": "all is well"} for file in FILES
    ]
    result = dreamed(tmp_path, gone, calls(("account", {"claims": lies})))
    assert (result.ended, contents(tmp_path)) == (INBOX, texts)
    assert len(result.ledger.of(LOST)) == 3
