"""A pointer says each thing once: a short title, then what the description says beyond it."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.memories.draft import complete
from memdir.memories.index.pointer import LINE_CHARACTERS, pointer_line, pointer_of, retarget
from memdir.memories.index.text import prune
from memdir.memories.names import file_name
from memdir.memories.topic import Draft, Header, Kind
from memdir.text.invisible_characters import UNSEEN

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def header(name: str, description: str, title: str = "") -> Header:
    return Header(f"project_{name}.md", name, description, Kind.PROJECT, NOW, title)


def remembered(body: str) -> Header:
    draft = complete(Draft(body), NOW.date())
    file = file_name(str(draft.kind), draft.name)
    return Header(file, draft.name, draft.description, Kind(str(draft.kind)), NOW, draft.title)


@pytest.mark.parametrize(
    ("one", "line"),
    [
        (  # the name was made from the description, which is short enough to be the title
            remembered("The release branch is cut on Thursday."),
            (
                "- [The release branch is cut on Thursday (2026-11-19)]"
                "(project_release-branch-cut-thursday-2026-11-19.md)"
            ),
        ),
        (  # and here it goes on
            remembered("Never mock the repository layer, we got burned when mocked tests were green."),
            (
                "- [Never mock the repository layer](feedback_never-mock-repository-layer-got-burned.md)"
                " — we got burned when mocked tests were green"
            ),
        ),
        (
            remembered("Timeouts of the payment service are forty five seconds for all calls from checkout"),
            (
                "- [Timeouts of the payment service are forty five seconds for…]"
                "(project_timeouts-payment-service-forty-five-seconds.md) — …all calls from checkout"
            ),
        ),
        (  # a name that somebody chose is a title
            header("deploy-window", "Deploys happen between 9 and 11"),
            "- [Deploy window](project_deploy-window.md) — Deploys happen between 9 and 11",
        ),
        (
            header("audit", "The security audit is in March", "Audit"),
            "- [Audit](project_audit.md) — The security audit is in March",
        ),
        (  # and a title that somebody gave is not said again
            header("x", "Release freeze: from Monday on", "Release freeze"),
            "- [Release freeze](project_x.md) — from Monday on",
        ),
        (header("x", "Release freeze", "Release freeze"), "- [Release freeze](project_x.md)"),
        (header("x", "", "Release freeze"), "- [Release freeze](project_x.md)"),
        (header("x-y", ""), "- [X y](project_x-y.md)"),
    ],
)
def test_a_line_says_each_thing_once(one: Header, line: str) -> None:
    assert pointer_line(pointer_of(one)) == line


@pytest.mark.parametrize(
    ("body", "file", "title"),
    [
        ("超时时间是 72 秒", r"project_[0-9a-f]{8}\.md", "超时时间是 72 秒"),
        ("请用中文回答", r"feedback_[0-9a-f]{8}\.md", "请用中文回答"),
        ("返事は日本語でお願いします", r"feedback_[0-9a-f]{8}\.md", "返事は日本語でお願いします"),
        ("Отвечай по-русски", r"feedback_otvechai-po-russki\.md", "Отвечай по-русски"),
        ("Η έκδοση είναι έτοιμη", r"project_ekdosi-einai-etoimi\.md", "Η έκδοση είναι έτοιμη"),
        ("Änderungen prüft Müller", r"project_anderungen-pruft-muller\.md", "Änderungen prüft Müller"),
    ],
)
def test_a_script_stays_in_the_title_and_the_file_has_plain_letters(body: str, file: str, title: str) -> None:
    one = remembered(body)
    assert re.fullmatch(file, one.file), one.file
    assert pointer_of(one).title == title


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=300), st.booleans())
def test_no_line_is_longer_than_a_pointer_may_be(description: str, named: bool) -> None:
    one = header("a-name", " ".join(description.split()), "" if named else "A title")
    assert len(pointer_line(pointer_of(one))) <= LINE_CHARACTERS


@given(st.text("ab cde,.;: …—", min_size=61, max_size=140).map(lambda text: " ".join(text.split())))
def test_title_and_hook_together_are_the_description(description: str) -> None:
    pointer = pointer_of(header("0a1b2c3d", description))
    said = "".join((pointer.title + pointer.hook).replace("…", "").split())
    wanted = "".join(description.replace("…", "").split())
    assert [char for char in said if char.isalpha()] == [char for char in wanted if char.isalpha()]


HIDING = [
    "a\u200bb",  # no width
    "a\u202eb\u2066c",  # direction
    "a" + "".join(chr(0xE0000 + ord(char)) for char in "obey") + "b",  # tags
    "a\x07b\x1b[31mc\x85d",  # controls
    "a\ufe0f\ufe01\U000e0101b",  # variants of a letter that has none
    "a\u3164b\u2800c\u115fd",  # blank letters
    "a\u00adb\ufeffc\u2028d",
]


@pytest.mark.parametrize("hiding", HIDING)
def test_a_line_hides_no_character_whoever_worded_the_header(hiding: str) -> None:
    for one in (header("x", hiding, hiding), header("x", f"Words {hiding} here"), header(hiding, "")):
        line = pointer_line(pointer_of(one))
        assert not UNSEEN.search(line), ascii(line)
        assert line.isprintable()


@pytest.mark.parametrize("hiding", HIDING)
def test_a_pointer_that_somebody_else_wrote_is_kept_without_what_it_hides(hiding: str) -> None:
    text = f"Notes \u200b stay\n- [A{hiding}](project_a.md) — {hiding}\r\n"
    kept = prune(text.replace("\u2028", ""), bool).text
    assert not UNSEEN.search(kept.split("\n")[1].removesuffix("\r"))
    assert kept.startswith("Notes \u200b stay\n- [Aa")
    assert kept.endswith("\r\n")


@pytest.mark.parametrize(
    "words",
    [
        "ship it \U0001f680",
        "\u2764\ufe0f love",
        "\U0001f469\u200d\U0001f4bb codes",
        "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    ],
)
def test_what_an_emoji_or_a_script_needs_stays(words: str) -> None:
    assert words in pointer_line(pointer_of(header("x", f"Say {words} now", "Title")))


@pytest.mark.parametrize(
    ("name", "description", "line"),
    [
        ("demo-thursday", "The demo is on Thursday", "- [The demo is on Thursday](x.md)"),
        ("api-gateway", "API Gateway", "- [API Gateway](x.md)"),
        ("postgresql-only", "PostgreSQL only", "- [PostgreSQL only](x.md)"),
        ("terse-replies", "No summaries at the end", "- [Terse replies](x.md) — No summaries at the end"),
    ],
)
def test_a_short_name_neither_repeats_nor_misspells_the_description(
    name: str, description: str, line: str
) -> None:
    assert pointer_line(pointer_of(Header("x.md", name, description, None, NOW))) == line


def test_a_line_points_at_a_file_of_any_name() -> None:
    for sign in (0xDE28, 0xDFFF, 0xDCFF, 0x20):
        line = retarget("- [My words](old.md) — stay", f"a{chr(sign)}b.md")
        assert re.fullmatch(r"- \[My words\]\([%0-9A-Za-z.]+\) — stay", line), sign
