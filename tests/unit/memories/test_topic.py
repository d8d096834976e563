"""A topic file is read into a header and a body, and a draft is written so that the same comes back."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.memories.draft import render_draft
from memdir.memories.topic import (
    Draft,
    Header,
    Kind,
    Provenance,
    has_how,
    has_why,
    header_from,
    header_from_bytes,
    time_since,
    topic_from,
)
from memdir.text.frontmatter.header import parse

SAVED = datetime(2026, 11, 1, tzinfo=UTC)
NOW = datetime(2026, 11, 15, 9, 30, 12, 999_999, tzinfo=timezone(timedelta(hours=2)))
DRAFT = Draft(
    "Keep answers short.", kind=Kind.FEEDBACK, name="terse-replies", description="No summaries at the end"
)
HOST_FILE = (
    "---\nname: terse-replies\ndescription: old words\nmetadata:\n  node_type: memory\n  type: feedback\n"
    "  originSessionId: 7b0e  # theirs\n  created: 2026-01-01T00:00:00Z\n---\n\nOld body\n"
)


def header(text: str, file: str = "feedback_terse-replies.md") -> Header:
    return header_from(file, text, SAVED)


def test_a_header_has_what_recall_may_see() -> None:
    text = (
        "---\nname: terse\ndescription: No summaries\ntype: feedback\n"
        "metadata:\n  title: Terse\n  pinned: true\n  expires: 2027-01-01\n---\nbody"
    )
    assert header(text) == Header(
        *("feedback_terse-replies.md", "terse", "No summaries", Kind.FEEDBACK, SAVED, "Terse"),
        pinned=True,
        expires="2027-01-01",
    )


def test_the_kind_may_stand_in_either_place() -> None:
    assert header("---\ntype: user\n---\n").kind is Kind.USER
    assert header("---\nmetadata:\n  type: user\n---\n").kind is Kind.USER
    assert header("---\ntype: project\nmetadata:\n  type: user\n---\n").kind is Kind.PROJECT


@pytest.mark.parametrize(
    "text", ["", "body", "---\ntype: User\n---\n", "---\ntype: note\n---\n", "---\ntype: [user]x\n---\n"]
)
def test_a_missing_or_unknown_kind_is_none(text: str) -> None:
    assert header(text).kind is None


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("feedback_terse-replies.md", "terse-replies"),
        ("sub/user_role.md", "role"),
        ("plain.md", "plain"),
        ("snake_case.md", "snake_case"),
        ("user_.md", "user_"),
    ],
)
def test_a_file_without_a_name_is_named_after_itself(file: str, name: str) -> None:
    assert header("body", file).name == name
    assert header("---\nname:\n---\n", file).name == name


def test_the_description_is_one_line() -> None:
    assert header("---\ndescription: |\n  one\n  two\n---\n").description == "one two"
    assert header('---\ndescription: "one\\n\\ttwo\\u2028three"\n---\n').description == "one two three"


@pytest.mark.parametrize(
    ("expires", "is_over"),
    [
        ("2026-11-18", True),
        (" 2026-11-18T09:00:00Z", True),
        ("2026-11-19", False),
        ("", False),
        ("soon", False),
    ],
)
def test_a_memory_is_over_after_the_day_that_it_names(expires: str, *, is_over: bool) -> None:
    assert replace(header("body"), expires=expires).is_over(date(2026, 11, 19)) is is_over


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_only_the_first_thirty_lines_are_read_for_a_header(end: str) -> None:
    for filling, kind in ((27, Kind.USER), (28, Kind.USER), (29, None)):
        lines = [
            "---",
            *(f"k{number}: v" for number in range(filling)),
            "type: user",
            "---",
            "body",
            "type: project",
        ]
        assert header(end.join(lines)).kind is kind


@given(st.text(st.characters(exclude_categories=[])))
def test_a_topic_keeps_its_text(text: str) -> None:
    topic = topic_from("x.md", text, SAVED)
    assert topic.text == text
    assert topic.body in text
    assert topic.header == header_from("x.md", text, SAVED)


def test_a_new_file_is_complete() -> None:
    draft = replace(DRAFT, title="Terse replies", why="They read the diff.", how="End with the result.")
    provenance = Provenance("host", "user", "model", "s-1", "a reason is for history alone")
    assert render_draft(draft, provenance, NOW, None) == (
        '---\nname: "terse-replies"\ndescription: "No summaries at the end"\ntype: "feedback"\nmetadata:\n'
        '  title: "Terse replies"\n  source: "user"\n  actor: "host"\n  session: "s-1"\n  method: "model"\n'
        '  created: "2026-11-15T07:30:12Z"\n  modified: "2026-11-15T07:30:12Z"\n---\n\n'
        "Keep answers short.\n\n**Why:** They read the diff.\n\n**How to apply:** End with the result.\n"
    )


def test_what_is_not_given_is_not_written() -> None:
    text = render_draft(Draft("Body"), Provenance(), NOW, None)
    assert [key for key in ("type", "title", "session", "method", "pinned", "expires") if key in text] == []


def test_extras_are_written_when_set() -> None:
    draft = replace(DRAFT, pinned=True, expires="2027-01-01", supersedes="old-name")
    metadata = parse(render_draft(draft, Provenance(), NOW, None)).metadata
    assert (metadata["pinned"], metadata["expires"], metadata["supersedes"]) == (
        "true",
        "2027-01-01",
        "old-name",
    )


def test_an_import_keeps_the_time_of_its_text() -> None:
    metadata = parse(render_draft(replace(DRAFT, saved_at=SAVED), Provenance(), NOW, None)).metadata
    assert (metadata["created"], metadata["modified"]) == ("2026-11-01T00:00:00Z", "2026-11-01T00:00:00Z")


def test_an_update_keeps_what_it_does_not_speak_about() -> None:
    assert render_draft(DRAFT, Provenance(session="s-2"), NOW, HOST_FILE) == (
        '---\nname: terse-replies\ndescription: "No summaries at the end"\nmetadata:\n  node_type: memory\n'
        '  type: "feedback"\n  originSessionId: 7b0e  # theirs\n  created: 2026-01-01T00:00:00Z\n'
        '  source: "user"\n  actor: "user"\n  session: "s-2"\n  modified: "2026-11-15T07:30:12Z"\n---\n\n'
        "Keep answers short.\n"
    )


def test_an_update_without_words_of_its_own_keeps_the_old_ones() -> None:
    front = parse(render_draft(Draft("New body"), Provenance(), NOW, HOST_FILE))
    assert front.fields == {"name": "terse-replies", "description": "old words"}
    assert front.metadata["type"] == "feedback"


def test_an_update_drops_the_traces_of_the_change_before() -> None:
    first = render_draft(DRAFT, Provenance("extractor", "assistant", "model", "s-1"), NOW, None)
    second = parse(render_draft(DRAFT, Provenance(), NOW + timedelta(days=1), first)).metadata
    assert second == {
        "source": "user",
        "actor": "user",
        "created": "2026-11-15T07:30:12Z",
        "modified": "2026-11-16T07:30:12Z",
    }


def test_an_update_can_rename_but_leaves_a_foreign_spelling_alone() -> None:
    foreign = "---\nname: Terse_Replies\n---\nold\n"
    assert parse(render_draft(DRAFT, Provenance(), NOW, foreign)).fields["name"] == "Terse_Replies"
    renamed = render_draft(replace(DRAFT, name="short"), Provenance(), NOW, foreign)
    assert parse(renamed).fields["name"] == "short"


@pytest.mark.parametrize(
    "previous", ["", "only a body\n", "---\nname: x\n---", "---\nname: x\nnever closed\n", "---\n\nrule\n"]
)
def test_an_update_mends_a_broken_header(previous: str) -> None:
    text = render_draft(DRAFT, Provenance(), NOW, previous)
    front = parse(text)
    assert front.problems == ()
    assert front.fields["description"] == DRAFT.description
    assert text[front.body :] == "\nKeep answers short.\n"


@given(st.text(), st.text(), st.sampled_from([None, HOST_FILE]))
def test_every_draft_is_read_back(body: str, description: str, previous: str | None) -> None:
    draft = replace(DRAFT, body=body, description=description or "x")
    text = render_draft(draft, Provenance(), NOW, previous)
    topic = topic_from("feedback_terse-replies.md", text, SAVED)
    one_line = " ".join(re.sub("[\x00-\x1f\x7f-\x9f]", " ", description or "x").split())
    assert topic.header.description == (one_line or ("old words" if previous else ""))
    assert (topic.header.name, topic.header.kind) == ("terse-replies", Kind.FEEDBACK)
    assert topic.body.strip() == body.replace("\r\n", "\n").replace("\r", "\n").strip()
    assert "\r" not in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@pytest.mark.parametrize("key", ["name", "description", "title", "expires"])
@pytest.mark.parametrize("kind", ["type: user", "metadata:\n  type: user"])
def test_a_header_shows_neither_pages_nor_control_characters(key: str, kind: str) -> None:
    value = "a\\x1b[31mb\\u0000\\x9b\\x85" + "x" * 5_000
    below = "metadata:\n  title: t\n" if key in {"title", "expires"} else ""
    line = f'{"  " if below else ""}{key}: "{value}"'
    text = f'---\nname: "n"\ndescription: "d"\n{below or kind + chr(10)}{line}\n---\n'
    for seen in (header(text), header_from_bytes("feedback_terse-replies.md", text.encode(), SAVED)):
        shown = getattr(seen, key)
        assert shown.startswith("a [31mb x")
        assert (len(shown), shown[-1]) == (1_000, "…")
        assert shown.isprintable()


def test_a_usual_header_is_cut_too() -> None:
    text = f'---\nname: "n"\ndescription: "{"words " * 500}end"\ntype: "user"\n---\n'
    seen = header_from_bytes("user_n.md", text.encode(), SAVED)
    assert len(seen.description) == 1_000
    assert seen == header(text, "user_n.md")


def test_line_ends_of_the_body_become_plain() -> None:
    text = render_draft(replace(DRAFT, body="\r\n one\r\ntwo\rthree  \n\n"), Provenance(), NOW, None)
    assert text.endswith("---\n\n one\ntwo\nthree\n")


@pytest.mark.parametrize(
    "line",
    [
        "**Why:** x",
        "**Why**: x",
        "- **Why:** x",
        "Why: x",
        "**why:** x",
        "> **Why:** x",
        "a\n\n**Why:** b",
        "**Why?** x",
    ],
)
def test_a_reason_is_recognised(line: str) -> None:
    assert has_why(line)
    said = render_draft(replace(DRAFT, body=line, why=line[-1]), Provenance(), NOW, None)
    assert said.count("\n\n") == line.count("\n\n") + 1, "it says so already"
    assert render_draft(replace(DRAFT, body=line, why="too"), Provenance(), NOW, None).endswith(
        f"{line}\n\n**Why:** too\n"
    )


@pytest.mark.parametrize("line", ["", "Why not use it", "That is why: x", "**Whyever:** x"])
def test_other_words_are_no_reason(line: str) -> None:
    assert not has_why(line)


def test_how_to_apply_is_recognised() -> None:
    assert has_how("Rule.\n\n**How to apply:** always")
    assert has_how("**How to apply**: always")
    assert not has_how("Rule.\n\n**Why:** how to apply it is clear")


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=1), "1 hour ago"),
        (timedelta(hours=23), "23 hours ago"),
        (timedelta(hours=24), "yesterday"),
        (timedelta(days=9), "9 days ago"),
    ],
)
def test_how_long_ago_an_event_was_is_said_in_the_largest_unit_that_fits(age: timedelta, words: str) -> None:
    assert time_since(NOW - age, NOW) == words
