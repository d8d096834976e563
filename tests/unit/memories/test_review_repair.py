"""What is mended by rule is mended in one go, and loses no word of it."""

from datetime import UTC, date, datetime

import pytest

from memdir.memories.review import repair_text
from memdir.memories.topic import topic_from
from memdir.text.frontmatter.header import parse

SAVED = datetime(2026, 11, 15, tzinfo=UTC)
SUNDAY = date(2026, 11, 15)


def better(text: str, file: str = "user_x.md") -> str:
    new = repair_text(topic_from(file, text, SAVED), SUNDAY)
    assert new is not None
    assert repair_text(topic_from(file, new, SAVED), SUNDAY) is None, "a second run would mend more"
    return new


@pytest.mark.parametrize(
    "value",
    [
        "The fix for bug #42 lands in the parser",
        "See also: the fix for bug #42 in the parser",
        "It lands\t#here, in the parser of headers",
    ],
)
def test_a_value_that_a_comment_cuts_is_kept_whole(value: str) -> None:
    front = parse(
        better(f"---\nname: x\ndescription: {value}\ntype: user\nmetadata:\n  title: {value}\n---\nBody\n")
    )
    assert (front.fields["description"], front.metadata["title"], front.problems) == (value, value, ())


def test_a_real_comment_stays_out_of_the_value() -> None:
    text = '---\nname: "x" #a\ndescription: What the parser reads # says who\ntype: user\nbroken\n---\nBody\n'
    fields = parse(better(text)).fields
    assert (fields["name"], fields["description"]) == ("x", "What the parser reads")


def test_of_a_key_given_twice_the_last_value_counts_cut_or_not() -> None:
    text = (
        "---\nname: x\ndescription: one #1\ndescription: What the parser reads now\ntype: user\n---\nBody\n"
    )
    assert parse(better(text)).fields["description"] == "What the parser reads now"


def test_a_broken_header_of_an_unknown_kind_needs_one_run() -> None:
    text = "---\nname: x\ndescription: Use the mirror: always\ntype: wish\n---\nI am an engineer.\n"
    front = parse(better(text))
    assert (front.problems, front.fields["type"]) == ((), "user")


def test_dates_of_a_memory_that_becomes_a_project_memory_need_no_second_run() -> None:
    text = "---\nname: x\ndescription: The next mobile release\n---\nThe release deadline is tomorrow.\n"
    new = better(text, "x.md")
    assert parse(new).fields["type"] == "project"
    assert "2026-11-16" in new


def test_a_description_and_its_text_get_the_same_date() -> None:
    text = (
        '---\nname: "x"\ndescription: "The mobile release happens tomorrow"\ntype: "project"\n'
        "---\nIt happens tomorrow.\n"
    )
    assert better(text, "project_x.md") == text.replace("tomorrow", "tomorrow (2026-11-16)")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_keep_their_ends(end: str) -> None:
    text = "---\nname: x\ndescription: Use the mirror: always\ntype: user\n---\nBody\nMore\n".replace(
        "\n", end
    )
    new = better(text)
    assert new.replace(end, "") == new.replace("\r", "").replace("\n", "")
    assert new.endswith(f"{end}Body{end}More{end}")


def test_what_memdir_saved_itself_gets_no_dates_later() -> None:
    header = '---\nname: "demo"\ndescription: "The demo is on Thursday"\ntype: "project"\n'
    own = f'{header}metadata:\n  actor: "user"\n---\n\nThe demo is on Thursday\n'
    assert repair_text(topic_from("project_demo.md", own, SAVED), SUNDAY) is None
    foreign = f"{header}---\n\nThe demo is on Thursday\n"
    assert "Thursday (2026-11-19)" in better(foreign, "project_demo.md")


def test_a_header_that_is_read_in_part_is_not_written_anew() -> None:
    keys = "".join(f"k{number}: [v]\n" for number in range(1_000))
    rule = '\nmetadata:\n  enforce: "Bash: x"\n'
    text = f"---\nname: x\ndescription: What the parser reads\ntype: user\n{keys.rstrip()}{rule}---\nBody\n"
    assert rule in (repair_text(topic_from("user_x.md", text, SAVED), SUNDAY) or text)
