"""Changes of a team are listed newest first: those of the remote, and before them what waits here."""

from memdir.memories.history.commits import HistoryEntry, Mark
from memdir.memories.topic import Provenance
from memdir.sync.git_format import changes_in
from memdir.sync.remote import Authorship
from memdir.team.log import team_changes

EAST, WEST = Authorship("East", "2026-11-10T10:00:00Z", "s1"), Authorship("West", "2026-11-12T10:00:00Z")


def entry(at: str, *files: str, after: str = "aa") -> HistoryEntry:
    marks = tuple([Mark(after, 1, "bb", 1) for _ in files])
    return HistoryEntry("id", at, "edit", Provenance(session="s9"), files, marks=marks)


def test_the_newest_comes_first_and_what_is_not_sent_before_all() -> None:
    own = [entry("2026-11-13T10:00:00Z", "a.md"), entry("2026-11-09T10:00:00Z", "a.md", "b.md")]
    found = team_changes([("a.md", EAST, False), ("a.md", WEST, False)], own, ["a.md"])
    assert [(one.by.who, one.by.at[8:10], one.sent) for one in found] == [
        ("you", "13", False),
        ("West", "12", True),
        ("East", "10", True),
    ]
    assert found[0].by.session == "s9"


def test_what_was_forgotten_here_says_so() -> None:
    (found,) = team_changes([], [entry("2026-11-13T10:00:00Z", "a.md", after="")], ["a.md"])
    assert found.deleted


def test_a_log_of_git_is_read_whoever_wrote_it() -> None:
    row = '{"file": "a.md", "saved": 5, "who": "East", "session": "s1", "actor": "user"}'
    ours = f"\x1eEast <a@b>\x1f2026-11-10T10:00:00+00:00\x1fSync a.md\n\nMemory: {row}\n\x1f\0\nA\0in/a.md\0"
    by_hand = (
        "\x1eWest <b@c>\x1f2026-11-12T10:00:00+00:00\x1fhand\n\x1f\0\nD\0in/a.md\0M\0in/b.md\0M\0in/x.txt\0"
    )
    found = [*changes_in(by_hand + ours, "in/")]
    assert [(file, by.who, deleted) for file, deleted, _, by in found] == [
        ("a.md", "West <b@c>", True),
        ("b.md", "West <b@c>", False),
        ("x.txt", "West <b@c>", False),
        ("a.md", "East", False),
    ]
    assert found[3][3].session == "s1"


def test_a_message_that_lies_about_its_form_costs_nothing() -> None:
    odd = "\x1eWest <b@c>\x1fno date\x1fMemory: {broken\nMemory: [1]\n\x1f\0\nM\0a.md\0"
    assert [(file, deleted) for file, deleted, _, _ in changes_in(odd, "")] == [("a.md", False)]
    assert [*changes_in("", ""), *changes_in("\x1e", "")] == []
