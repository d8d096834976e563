"""A memory is saved: complete, private, pointed at, and with a reason when it is refused."""

import asyncio
import os
import re
import stat
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from tests.environment import WORDS_ALONE

from memdir import Draft, Kind, MemdirError, Memory
from memdir.errors import Conflict, MemoryOff, NoSuchMemory, Rejected, SecretFound, StorageError
from memdir.memories.change import Change

SECRET = "ghp_" + "a1B2c3D4" * 4 + "e5F6"


def test_what_was_saved_is_read_back(memory: Memory) -> None:
    saved = memory.remember(
        "No summaries",
        kind="feedback",
        name="terse-replies",
        description="No summaries at the end",
        why="I read diffs",
    )
    topic = memory.read("terse-replies")
    assert saved.created
    assert saved.file == topic.header.file == "feedback_terse-replies.md"
    assert topic.header.kind is Kind.FEEDBACK
    assert topic.header.description == "No summaries at the end"
    assert "**Why:** I read diffs" in topic.body
    assert (
        memory.context.index().content
        == "- [Terse replies](feedback_terse-replies.md) — No summaries at the end"
    )


def test_saving_under_an_existing_name_updates_it(memory: Memory) -> None:
    memory.remember("Use npm", kind="feedback", name="package-manager", description="npm")
    saved = memory.remember("Use bun", kind="feedback", name="package-manager", description="bun, not npm")
    assert not saved.created
    assert [header.description for header in memory.list()] == ["bun, not npm"]
    assert memory.context.index().content.count("\n") == 0


def test_a_proposed_name_never_overwrites_another_memory(memory: Memory) -> None:
    first = memory.remember("Deploys happen from the release branch only. Reason one.", kind="project")
    second = memory.remember("Deploys happen from the release branch only. Reason two.", kind="project")
    again = memory.remember("Deploys happen from the release branch only. Reason two.", kind="project")
    assert first.file != second.file
    assert len(memory.list()) == 2
    assert again.file in {first.file, second.file}


def test_kind_name_and_description_are_proposed_when_left_out(memory: Memory) -> None:
    saved = memory.remember("Never use mocks in the integration tests")
    (header,) = memory.list()
    assert header.kind is Kind.FEEDBACK
    assert header.description == "Never use mocks in the integration tests"
    assert saved.file == f"feedback_{header.name}.md"


def test_relative_dates_in_project_memories_become_days(memory: Memory) -> None:
    memory.remember("The freeze starts on Thursday", kind="project", name="freeze")
    assert "2026-11-19" in memory.read("freeze").body


def test_a_name_in_another_script_gets_a_hash_and_keeps_its_title(memory: Memory) -> None:
    memory.remember("部署前先跑测试", kind="feedback", name="先跑测试")
    (header,) = memory.list()
    assert header.title == "先跑测试"
    assert memory.read("先跑测试").body.strip() == "部署前先跑测试"


@pytest.mark.parametrize(
    ("draft", "says"),
    [
        (Draft("  "), "nothing to remember"),
        (Draft("text", kind="opinion"), "user, feedback, project, reference"),
        (Draft("nul \0"), "NUL"),
        (Draft("half \ud800"), "surrogate"),
        (Draft("x", title="half \ud83d"), "title"),
        (Draft("x", why="half \ud83d"), "why"),
        (Draft("x", how="nul \0"), "how"),
        (Draft("x" * 300_000), "over 250,000 bytes"),
    ],
)
def test_what_cannot_be_saved_is_refused_with_advice(memory: Memory, draft: Draft, says: str) -> None:
    with pytest.raises(Rejected, match=says):
        memory.transfer.remember_many([draft])
    assert memory.list() == []


@pytest.mark.parametrize("half", ["\\ud83d", "\\udc80", "\\ud83d\\ude00"])
def test_a_header_with_half_a_letter_costs_at_most_itself(memory: Memory, half: str) -> None:
    memory.remember("a", kind="user", name="a")
    foreign = Path(memory.directory, "user_h.md")
    foreign.write_text(f'---\nname: h\ndescription: "smile {half} cut"\ntype: user\n---\nb\n')
    before = foreign.read_bytes()
    memory.remember("b", kind="user", name="b")
    memory.undo(memory.forget("a").operation)
    memory.doctor.examine(fix=True)
    assert {header.name for header in memory.list()} == {"a", "b", "h"}
    Path(memory.directory, "MEMORY.md").read_bytes().decode()
    memory.context.index().content.encode()
    assert foreign.read_bytes() == before or "smile" in foreign.read_text()


def test_what_cannot_be_written_is_refused_by_edit_and_rename_too(memory: Memory) -> None:
    memory.remember("a", kind="user", name="a")
    topic = memory.read("a")
    for text in ("half \ud800", "nul \0"):
        with pytest.raises(Rejected):
            memory.edit(topic, text)
    with pytest.raises(Rejected, match="empty"):
        memory.rename("a", " ")
    assert memory.read("a").body == "a"


PATHS = ["../a", "..\\a", "x/../a", "~/a", "/a", "./a", "sub/a", "team/a", "/"]


@pytest.mark.parametrize("path", PATHS)
def test_a_path_is_no_name_and_changes_no_memory(memory: Memory, path: str) -> None:
    memory.remember("a", kind="user", name="a")
    with pytest.raises(Rejected, match=r"is a path.*Give a name without a slash"):
        memory.remember("b", kind="user", name=path)
    with pytest.raises(Rejected, match=r"is a path.*Give a name without a slash"):
        memory.rename("a", path)
    assert [(header.name, memory.read("a").body) for header in memory.list()] == [("a", "a")]


@pytest.mark.parametrize(
    ("title", "name"),
    [("Color Scheme", "color-scheme"), ("CI/CD pipeline", "ci-cd-pipeline"), ("Node 1.2", "node-1-2")],
)
def test_a_title_as_a_name_becomes_one(memory: Memory, title: str, name: str) -> None:
    assert memory.remember("a", kind="user", name=title).name == name
    memory.remember("b", kind="user", name="b")
    memory.rename(name, "c")
    assert memory.rename("b", title).name == name


def test_a_secret_is_refused_by_rule_and_never_shown(memory: Memory) -> None:
    with pytest.raises(SecretFound) as caught:
        memory.remember(f"the token is {SECRET}")
    assert SECRET not in str(caught.value)
    assert "github" in str(caught.value)
    assert memory.list() == []


def test_what_every_conversation_is_told_holds_no_secret_even_if_one_is_allowed(memory: Memory) -> None:
    memory.remember("The text", kind="reference", name="token", description="Where it is")
    topic = memory.read("token")
    with pytest.raises(SecretFound, match="new name"):
        memory.rename("token", SECRET)
    with pytest.raises(SecretFound, match="description"):
        memory.edit(topic, topic.text.replace("Where it is", SECRET), allow_secret=True)
    memory.edit(topic, topic.text.replace("The text", SECRET), allow_secret=True)
    assert SECRET in memory.read("token").body
    assert SECRET not in memory.context.index().content


def test_an_allowed_secret_stays_in_the_private_file_alone(memory: Memory) -> None:
    memory.remember(f"the token is {SECRET}", kind="reference", name="token", allow_secret=True)
    memory.forget("token")
    memory.history.list()
    assert memory.undo().files == ("reference_token.md",)
    for folder, _, names in os.walk(memory.state):
        for name in names:
            assert SECRET.encode() not in (Path(folder) / name).read_bytes()


def test_a_secret_written_outside_is_masked_in_history(memory: Memory) -> None:
    memory.remember("x y", kind="user", name="a")
    path = Path(memory.directory) / "user_a.md"
    path.write_text(path.read_text() + f"\n{SECRET}\n")
    memory.history.list()
    memory.remember("new text", kind="user", name="a")
    assert SECRET not in memory.history.diff()
    assert "[secret:" in memory.history.diff()
    assert any(f.code == "secret" for f in memory.doctor.examine().findings) is False


def test_many_are_saved_in_one_step(memory: Memory) -> None:
    drafts = [Draft(f"body {n}", kind="user", name=f"m{n}", description=f"number {n}") for n in range(20)]
    saved = memory.transfer.remember_many(drafts)
    assert len({item.operation for item in saved}) == 1
    assert len(memory.list()) == 20
    memory.undo()
    assert memory.list() == []


def test_two_drafts_of_one_name_are_refused_unless_they_say_the_same(memory: Memory) -> None:
    one = Draft("one", kind="user", name="Same Name")
    for names in ("same-name", "Same Name"):
        with pytest.raises(Rejected, match="'same-name': 'one' and 'two'"):
            memory.transfer.remember_many([one, Draft("two", kind="user", name=names)])
    assert memory.list() == []
    saved = memory.transfer.remember_many([one, Draft("one", kind="user", name="same-name")])
    assert [item.file for item in saved] == ["user_same-name.md"] * 2
    assert len(memory.list()) == 1


def test_a_made_name_gives_way_to_a_chosen_one_and_repeats_are_saved_once(memory: Memory) -> None:
    text = "Deploys happen from the release branch only"
    name = memory.remember(text, kind="project").name
    memory.forget(name)
    drafts = [
        Draft(f"{text}. A", "project"),
        Draft("chosen", "project", name),
        Draft(f"{text}. A", "project"),
    ]
    saved = memory.transfer.remember_many(drafts)
    assert [item.name for item in saved] == [f"{name}-2", name, f"{name}-2"]
    assert memory.read(name).body == "chosen"


def test_memories_whose_names_are_made_alike_are_called_differently(memory: Memory) -> None:
    texts = [f"Deploys happen from the release branch only. Reason {n}." for n in range(3)]
    saved = [memory.remember(text, kind="project", why="So") for text in texts]
    names = [item.name for item in saved]
    assert names == [names[0], f"{names[0]}-2", f"{names[0]}-3"]
    assert [memory.remember(text, kind="project", why="So").file for text in texts] == [s.file for s in saved]
    assert not [finding for finding in memory.doctor.examine().findings if finding.code == "same-name"]
    memory.forget(names[1])
    assert {header.name for header in memory.list()} == {names[0], names[2]}


def test_a_text_that_is_saved_again_is_one_memory_however_it_is_closed(memory: Memory) -> None:
    first = memory.remember("Load tests run on the staging cluster", kind="project")
    again = memory.remember("Load tests run  on the staging cluster.", kind="project")
    assert (again.file, again.created) == (first.file, False)
    assert memory.read(first.name).body.strip() == "Load tests run  on the staging cluster."


@pytest.mark.parametrize("kind", ["hard link", "link", "fifo"])
def test_what_is_no_plain_file_is_never_replaced(memory: Memory, tmp_path: Path, kind: str) -> None:
    memory.remember("other", kind="user", name="other")
    path, kept = Path(memory.directory, "user_a.md"), tmp_path / "kept.md"
    kept.write_text("---\nname: a\n---\nprecious\n")
    if kind == "fifo":
        os.mkfifo(path)
    else:
        (os.link if kind == "hard link" else os.symlink)(kept, path)
    before = os.lstat(path)
    with pytest.raises(StorageError, match="is there and is not read"):
        memory.remember("mine", kind="user", name="a")
    with pytest.raises(StorageError, match="is there and is not read"):
        memory.rename("other", "a")
    with pytest.raises(StorageError, match="no plain file"):
        memory.history.change([Change("user_a.md", None, "---\nname: b\n---\n")])
    assert memory.remember("a", kind="user").file == "user_a-2.md"
    assert os.lstat(path)[:7] == before[:7]


def test_a_change_of_the_header_keeps_the_time(memory: Memory) -> None:
    then = datetime(2025, 1, 2, tzinfo=UTC)
    memory.remember("B", kind="user", name="a", description="first words", saved_at=then)
    topic = memory.read("a")
    memory.edit(topic, topic.text.replace("first", "better"))
    assert memory.read("a").header.description == "better words"
    assert memory.read("a").header.saved_at == then
    topic = memory.read("a")
    memory.edit(topic, topic.text.replace("\nB\n", "\nC\n"))
    assert memory.read("a").header.saved_at > then


def test_an_update_keeps_the_kind_and_a_description_that_was_given(memory: Memory) -> None:
    memory.remember("Old", kind="reference", name="x", description="Careful line", why="It moved")
    saved = memory.remember("We ship on Friday, says the plan", name="x")
    assert (saved.header.kind, saved.header.description) == (Kind.REFERENCE, "Careful line")
    assert any("'Careful line'" in warning for warning in saved.warnings)
    assert any("had a line on why" in warning for warning in saved.warnings)
    memory.remember("Old words", name="y", kind="user", why="It is so")
    saved = memory.remember("New words", name="y", why="Yes")
    assert (saved.header.kind, saved.header.description) == (Kind.USER, "New words")
    assert saved.warnings == ()


def test_an_edited_text_gets_the_description_that_is_made_from_it(memory: Memory) -> None:
    memory.remember("The old words", kind="user", name="a", saved_at=datetime(2025, 1, 2, tzinfo=UTC))
    topic = memory.read("a")
    saved = memory.edit(topic, topic.text.replace("\nThe old", "\nThe new"))
    assert saved.header.description == "The new words"
    assert saved.warnings == ()
    assert "2025-01-02" not in memory.read("a").text.partition("modified")[2]
    memory.remember("The old words", kind="user", name="b", description="Given")
    topic = memory.read("b")
    saved = memory.edit(topic, topic.text.replace("old", "new"))
    assert saved.header.description == "Given"
    assert any("is still 'Given'" in warning for warning in saved.warnings)


def test_an_edit_that_loses_the_kind_or_takes_a_name_is_told(memory: Memory) -> None:
    memory.remember("Words", kind="user", name="a")
    memory.remember("Words b", kind="user", name="b")
    topic = memory.read("a")
    with pytest.raises(Rejected, match="called 'b' already"):
        memory.edit(topic, topic.text.replace('name: "a"', 'name: "b"'))
    assert any("no kind any more" in warning for warning in memory.edit(topic, "Words\n").warnings)


def test_a_renamed_memory_stays_in_its_folder_and_links_to_it_are_told(memory: Memory) -> None:
    folder = Path(memory.directory, "sub")
    folder.mkdir(parents=True)
    (folder / "user_deep.md").write_text("---\nname: deep\ntype: user\n---\nx\n")
    for name, link in (("a", "[[deep]]"), ("b", "[it](sub/user_deep.md#x)"), ("c", "deep, user_deep.md")):
        memory.remember(f"See {link}.", kind="user", name=name)
    saved = memory.rename("deep", "deeper")
    assert saved.file == "sub/user_deeper.md"
    (told,) = saved.warnings
    assert told.startswith("Links to 'deep' (sub/user_deep.md) are still in user_a.md, user_b.md. ")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"actor": "pope"}, "'pope' is not a known actor. Use one of user, host"),
        ({"source": "moon"}, "'moon' is not a known source. Use one of user, assistant"),
        ({"expires": "garbage"}, "'garbage' is not a day"),
        ({"expires": "20301231"}, "2030-12-31"),
        ({"name": "x" * 101}, "101 characters, and 100 is the most"),
    ],
)
def test_values_that_nothing_knows_are_refused(memory: Memory, given: dict[str, str], said: str) -> None:
    with pytest.raises(Rejected, match=re.escape(said)):
        memory.remember("Text", **given)  # type: ignore[arg-type]


def test_a_list_of_no_kind_and_of_fewer_than_none_is_refused(memory: Memory) -> None:
    with pytest.raises(Rejected, match="'bogus' is not a kind"):
        memory.list(kind="bogus")
    for kind in (None, "user"):
        with pytest.raises(Rejected, match="limit is -1"):
            memory.list(kind=kind, limit=-1)


def test_a_long_description_is_told(memory: Memory) -> None:
    saved = memory.remember("Text", kind="user", description="word " * 40)
    assert any("199 characters" in warning for warning in saved.warnings)


def test_text_that_begins_with_code_keeps_its_indent(memory: Memory) -> None:
    memory.remember("\n  \n    x = 1\n    y = 2\n\n", kind="user", name="c")
    assert memory.read("c").body == "    x = 1\n    y = 2"


def test_words_of_several_are_never_recorded_as_the_users(memory: Memory) -> None:
    page = Draft("page", "feedback", "page", source="tool")
    memory.transfer.remember_many([Draft("mine", "user", "mine"), page], actor="extractor")
    written = memory.history.provenance("page")
    assert written
    assert written.source == "tool"


def test_a_draft_may_carry_its_own_time(memory: Memory) -> None:
    then = datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC)
    memory.transfer.remember_many([Draft("old", kind="user", name="old", saved_at=then)])
    assert memory.read("old").header.saved_at == then


def test_a_time_without_a_zone_is_utc(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "America/New_York")
        time.tzset()
        memory.remember("one", kind="user", name="a", saved_at=datetime(2026, 3, 4, 12))  # noqa: DTZ001
    time.tzset()
    assert memory.read("a").header.saved_at == datetime(2026, 3, 4, 12, tzinfo=UTC)
    assert 'created: "2026-03-04T12:00:00Z"' in memory.read("a").text


@pytest.mark.parametrize(
    "moment",
    [
        datetime.min,  # noqa: DTZ901
        datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-12))),
    ],
)
def test_a_time_that_no_file_keeps_is_refused(memory: Memory, moment: datetime) -> None:
    with pytest.raises(Rejected, match="from 1970 to 2261"):
        memory.remember("one", kind="user", name="a", saved_at=moment)
    assert memory.list() == []


def test_everything_is_private_whatever_the_umask(memory: Memory) -> None:
    before = os.umask(0)
    try:
        memory.remember("one", kind="user", name="a")
        memory.forget("a")
        memory.history.list()
    finally:
        os.umask(before)
    for top in (memory.directory, memory.state):
        for folder, _, names in os.walk(top):
            assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700, folder
            for name in names:
                assert stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) & 0o077 == 0, name


def test_several_handles_see_each_other(opened: Callable[[], Memory]) -> None:
    first, second = opened(), opened()
    first.remember("one", kind="user", name="a")
    second.remember("two", kind="user", name="b")
    first.remember("three", kind="user", name="c")
    second.remember("one again", kind="user", name="a")
    assert {header.name for header in first.list()} == {"a", "b", "c"}
    assert first.read("a").body.strip() == "one again"
    assert first.context.index().lines == 3


def test_an_edit_is_refused_when_the_text_changed_meanwhile(opened: Callable[[], Memory]) -> None:
    memory, other = opened(), opened()
    memory.remember("one", kind="user", name="a")
    topic = memory.read("a")
    other.remember("two", kind="user", name="a")
    with pytest.raises(Conflict, match="read it again"):
        memory.edit(topic, topic.text + "mine\n")
    assert memory.read("a").body.strip() == "two"


def test_forgetting_what_is_not_there_is_a_key_error_with_advice(memory: Memory) -> None:
    with pytest.raises(KeyError) as caught:
        memory.forget("ghost")
    assert isinstance(caught.value, MemdirError)
    assert isinstance(caught.value, NoSuchMemory)
    assert "memdir list" in str(caught.value)


def test_a_memory_can_be_renamed(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a", description="first")
    then = memory.read("a").header.saved_at
    assert memory.rename("a", "Better name").file == "user_better-name.md"
    assert memory.read("better-name").header.saved_at == then
    assert memory.context.index().content == "- [Better name](user_better-name.md) — first"


def test_the_same_verbs_can_be_awaited(memory: Memory) -> None:
    async def both() -> None:
        await asyncio.gather(*(memory.aio.remember(f"body {n}", kind="user", name=f"m{n}") for n in range(8)))

    asyncio.run(both())
    assert len(memory.list()) == 8
    assert memory.context.index().lines == 8


def test_memory_that_is_off_still_lists_and_shows(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], **WORDS_ALONE}
    Memory.open(tmp_path, env).remember("one", kind="user", name="a")
    off = Memory.open(tmp_path, {**env, "MEMDIR_DISABLE": "1"})
    assert [header.name for header in off.list()] == ["a"]
    assert off.read("a").body.strip() == "one"
    assert off.doctor.examine().ok
    with pytest.raises(MemoryOff, match="MEMDIR_DISABLE is 1"):
        off.remember("two")
    with pytest.raises(MemoryOff):
        off.context.index()


def test_looking_for_what_is_not_there_makes_no_directory(memory: Memory) -> None:
    for verb in (memory.read, memory.forget, memory.history.restore):
        with pytest.raises(NoSuchMemory):
            verb("ghost")
    assert memory.history.list() == []
    assert memory.list() == []
    assert not os.path.exists(memory.directory)


def test_a_file_that_is_not_utf8_can_be_edited(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    path = Path(memory.directory) / "user_a.md"
    path.write_bytes(path.read_bytes() + b"\xff\n")
    topic = memory.read("a")
    memory.edit(topic, topic.text.replace("\ufffd", "mended"))
    assert memory.read("a").body.endswith("mended")


def test_bytes_that_are_not_utf8_stay_on_lines_that_an_edit_leaves_alone(memory: Memory) -> None:
    path = Path(memory.remember("one", kind="user", name="a", description="Some words").path)
    path.write_bytes(path.read_bytes().replace(b"words", b"w\xf6rds") + b"\xe9\n\xe8\n\xfc \xfc\n")
    topic = memory.read("a")
    (Path(memory.directory) / "MEMORY.md").unlink()
    memory.edit(topic, topic.text.replace("one", "two").replace("\ufffd \ufffd", "both"))
    assert path.read_bytes().endswith(b"two\n\xe9\n\xe8\nboth\n")
    assert b"w\xf6rds" in path.read_bytes()
    assert "w\ufffdrds" in (Path(memory.directory) / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    ("old", "new"), [("\ufffd\n\ufffd\n", "\ufffd\n"), ("\ufffd \ufffd", "\ufffd and \ufffd")]
)
def test_an_edit_that_would_lose_bytes_unseen_is_refused(memory: Memory, old: str, new: str) -> None:
    path = Path(memory.remember("one", kind="user", name="a").path)
    data = path.read_bytes() + b"\xe9\n\xe8\n\xfc \xfc\n"
    path.write_bytes(data)
    topic = memory.read("a")
    with pytest.raises(Rejected, match=r"not UTF-8.*line 1\d would lose them. Write what they stand for"):
        memory.edit(topic, topic.text.replace(old, new))
    assert path.read_bytes() == data


def test_one_kind_can_be_listed(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    memory.remember("two", kind="project", name="b")
    (Path(memory.directory) / "c.md").write_text("no header")
    assert [header.name for header in memory.list(kind="user")] == ["a"]
    assert [header.name for header in memory.list(kind="none")] == ["c"]


@pytest.mark.parametrize("in_the_way", ["MEMORY.md", "feedback_second.md"])
def test_nothing_of_a_save_is_in_place_when_a_folder_stands_in_the_way(
    memory: Memory, in_the_way: str
) -> None:
    (Path(memory.directory) / in_the_way / "inner").mkdir(parents=True)
    drafts = [Draft(f"Be {name}.", "feedback", name) for name in ("first", "second")]
    with pytest.raises(StorageError, match=f"a folder is called {in_the_way}.*Move that folder away"):
        memory.transfer.remember_many(drafts)
    assert [path.name for path in Path(memory.directory).iterdir()] == [in_the_way]


@pytest.mark.parametrize("there", ["Color Scheme", "color_scheme", "COLOR-SCHEME"])
def test_a_name_that_somebody_wrote_otherwise_is_the_same_name(memory: Memory, there: str) -> None:
    path = Path(memory.directory, "USER_Colors.md")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nname: {there}\ndescription: d\ntype: user\n---\n\nGreen.\n")
    assert memory.read("color-scheme").body.strip() == "Green."
    saved = memory.remember("Blue, not green.", kind="user", name="color scheme")
    assert (saved.file, saved.created) == ("USER_Colors.md", False)
    assert [header.name for header in memory.list()] == [there], "the name stays as it was written"


def test_of_two_names_that_make_one_slug_each_keeps_its_own(memory: Memory) -> None:
    Path(memory.directory).mkdir(parents=True, exist_ok=True)
    for name in ("Tabs", "tabs"):
        text = f"---\nname: {name}\ndescription: d\ntype: user\n---\n\n{name}.\n"
        Path(memory.directory, f"user_{name}-1.md" if name == "Tabs" else "user_x.md").write_text(text)
    assert memory.read("Tabs").body.strip() == "Tabs."
    assert memory.read("tabs").body.strip() == "tabs."
