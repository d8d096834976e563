"""A model is told how its memory works: in a fixed order, in the words of the mode, no more than it needs."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import pytest

from memdir.memories.index.text import pointers
from memdir.memories.topic import Kind, has_how, has_why, topic_from
from memdir.prompt import templates as sections
from memdir.prompt.guide import (
    COMPACT_CHARACTERS,
    Form,
    Guide,
    Reader,
    Search,
    additions,
    mechanics,
    mechanics_and_index,
    mode_for,
)
from memdir.prompt.modes import COMBINED, DAILY_LOG, MODES, NONE, ORDER, PRIVATE, Mode
from memdir.prompt.templates import text
from memdir.text.clip import INDEX_LINES, clip_index
from memdir.text.frontmatter.header import parse

GUIDE = Guide(
    directory="/home/dev/memory/",
    team_directory="/home/dev/memory/team/",
    transcripts="/home/dev/transcripts/",
    extra=("Write memories in English.",),
)
POINTER = "- [Lock file](feedback_lock-file.md) — one package at a time"
WAYS = [(mode, form) for mode in (PRIVATE, COMBINED, DAILY_LOG) for form in Form]
each_way = pytest.mark.parametrize(("mode", "form"), WAYS, ids=lambda value: getattr(value, "name", value))


def told(name: str, guide: Guide = GUIDE, mode: Mode = PRIVATE, form: Form = Form.FULL) -> str:
    """Return the text of one section."""
    (found,) = [section.text for section in mechanics_and_index(guide, mode, form) if section.name == name]
    return found


def names(guide: Guide = GUIDE, mode: Mode = PRIVATE, form: Form = Form.FULL) -> list[str]:
    return [section.name for section in mechanics_and_index(guide, mode, form)]


# 6.1 three builders


@each_way
def test_mechanics_and_index_are_the_mechanics_with_the_index_last(mode: Mode, form: Form) -> None:
    guide = replace(GUIDE, index=clip_index(POINTER), team_index=clip_index("- [A](a.md) — x"))
    both = mechanics_and_index(guide, mode, form)
    count = len(mode.indexes)
    assert both[:-count] == mechanics(guide, mode, form)
    assert [section.name for section in both[-count:]] == list(mode.indexes)
    assert POINTER in both[-count].text


@pytest.mark.parametrize("content", [None, "", " \n\t\n"])
def test_an_empty_index_is_said_to_be_empty(content: str | None) -> None:
    index = None if content is None else clip_index(content)
    shown = told("index", replace(GUIDE, index=index))
    assert "is empty" in shown
    assert "<memory>" not in shown
    assert "is empty" in told("team_index", replace(GUIDE, team_index=index), COMBINED)


def test_a_clipped_index_is_shown_with_its_note() -> None:
    index = clip_index("\n".join([POINTER] * 300))
    shown = told("index", replace(GUIDE, index=index))
    assert shown.count(POINTER) == INDEX_LINES + 1, "the note quotes the first line that is missing"
    assert "> WARNING: this index has 300 lines" in shown
    assert shown.endswith("\n</memory>")


@pytest.mark.parametrize(
    ("guide", "mode"),
    [
        (replace(GUIDE, daily_log=True), DAILY_LOG),
        (replace(GUIDE, daily_log=True, team_directory=None), DAILY_LOG),
        (GUIDE, COMBINED),
        (replace(GUIDE, team_directory=None), PRIVATE),
        (replace(GUIDE, team_directory=""), PRIVATE),
        (replace(GUIDE, on=False), NONE),
        (replace(GUIDE, on=False, daily_log=True), NONE),
    ],
)
def test_the_dispatcher_goes_from_daily_log_over_combined_and_private_to_none(
    guide: Guide, mode: Mode
) -> None:
    assert mode_for(guide) is mode
    for form in Form:
        assert mechanics(guide, form=form) == mechanics(guide, mode, form)


def test_with_memory_off_nothing_is_said() -> None:
    assert mechanics(replace(GUIDE, on=False)) == []
    assert mechanics_and_index(replace(GUIDE, index=clip_index(POINTER)), NONE) == []


# 6.2 the sections and what each says


@each_way
def test_the_sections_come_in_the_fixed_order(mode: Mode, form: Form) -> None:
    expected = [name for name in ORDER if not (mode is DAILY_LOG and name == "extra")]
    assert [section.name for section in mechanics(GUIDE, mode, form)] == expected


def test_the_order_is_that_of_the_specification() -> None:
    assert (
        *("title", "why", "on_request", "kinds", "exclusions", "saving"),
        *("consulting", "verifying", "plans", "extra", "past_context"),
    ) == ORDER


@each_way
def test_the_title_says_where_memory_is_and_that_it_exists(mode: Mode, form: Form) -> None:
    title = told("title", GUIDE, mode, form)
    assert title.startswith("# Memory\n")
    assert "`/home/dev/memory/`" in title
    assert re.search(r"\bexists?\b", title)
    assert re.search(r"\bwrite (?:into (?:it|them) )?directly\b", title)


@each_way
def test_an_override_is_named_in_the_title(mode: Mode, form: Form) -> None:
    title = told("title", replace(GUIDE, override_named=True), mode, form).partition("\n")[0]
    assert title.startswith("# Memory")
    assert "override" in title
    assert "override" not in told("title", GUIDE, mode, form)


@each_way
def test_remembering_and_forgetting_follow_a_request_at_once(mode: Mode, form: Form) -> None:
    words = told("on_request", GUIDE, mode, form).lower()
    assert re.search(r"remember|keep this in mind", words)
    assert re.search(r"at once|this very turn", words)
    assert "forget" in words
    assert "delete" in words


@pytest.mark.parametrize("mode", [PRIVATE, COMBINED], ids=lambda mode: mode.name)
@pytest.mark.parametrize("kind", Kind)
def test_each_kind_says_what_it_is_when_to_save_it_and_how_to_use_it(kind: Kind, mode: Mode) -> None:
    words = _kind(kind, mode)
    for label in ("What it is", "When to save", "How to use", "Examples"):
        assert words.count(f"- **{label}:**") == 1
    assert words.count("\n  - ") >= 2


@pytest.mark.parametrize("kind", Kind)
def test_feedback_and_project_say_how_the_body_is_built(kind: Kind) -> None:
    words = _kind(kind, PRIVATE)
    structured = kind in (Kind.FEEDBACK, Kind.PROJECT)
    for label in ("**Body:**", "`**Why:**`", "`**How to apply:**`"):
        assert (label in words) == structured


def test_user_memories_never_judge_and_feedback_takes_both_sides() -> None:
    assert "never judges" in _kind(Kind.USER, PRIVATE)
    feedback = _kind(Kind.FEEDBACK, PRIVATE)
    assert "correction" in feedback
    assert "confirmation" in feedback
    assert "timid" in feedback


def test_project_memories_hold_calendar_dates_counted_from_the_message() -> None:
    words = _kind(Kind.PROJECT, PRIVATE)
    first, last = datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 16, tzinfo=UTC)
    assert '"in two weeks", said on 2026-03-02, becomes "in two weeks (2026-03-16)"' in words
    assert (last - first).days == 14


def test_what_fits_no_kind_is_not_saved() -> None:
    assert "fits none" in told("kinds")
    assert "fits none" in told("kinds", form=Form.COMPACT)


@each_way
def test_what_can_be_derived_is_not_saved_also_on_request(mode: Mode, form: Form) -> None:
    words = told("exclusions", GUIDE, mode, form).lower()
    for excluded in ("code", "instruction", "task", "secrets", r"(?:git|version control)", r"recipes?"):
        assert re.search(excluded, words), excluded
    assert "asked" in words
    assert "surprising" in words


def test_saving_takes_two_steps() -> None:
    words = told("saving")
    assert "two steps" in words
    assert "\n1. Write" in words
    assert "\n2. Point at it from `MEMORY.md`" in words


@each_way
def test_index_free_mode_asks_for_the_file_only(mode: Mode, form: Form) -> None:
    guide = replace(GUIDE, skip_index=True)
    assert "MEMORY.md" not in text(mechanics_and_index(guide, mode, form))
    if mode is not DAILY_LOG:
        assert "one step" in told("saving", guide, mode, form)
    changed = {one.name for one, other in _pairs(guide, GUIDE, mode, form) if one != other}
    assert changed == {"saving"}


def test_an_index_that_is_there_is_shown_in_index_free_mode_too() -> None:
    assert POINTER in told("index", replace(GUIDE, skip_index=True, index=clip_index(POINTER)))


def test_the_example_is_a_memory_as_our_own_readers_want_it() -> None:
    (example,) = re.findall(r"```markdown\n(.*?)```", told("saving"), re.DOTALL)
    topic = topic_from("feedback_lock-file.md", example, datetime(2026, 3, 2, tzinfo=UTC))
    assert topic.header.name == "lock-file"
    assert topic.header.kind is Kind.FEEDBACK
    assert topic.header.description
    assert parse(example).fields.keys() == {"name", "description", "type"}
    assert has_why(topic.body)
    assert has_how(topic.body)
    assert "`feedback_lock-file.md`" in told("saving")


@pytest.mark.parametrize("form", Form)
def test_the_pointer_in_the_steps_is_one_that_the_index_understands(form: Form) -> None:
    (line,) = re.findall(r"`(- \[Title\][^`]*)`", told("saving", form=form))
    assert [pointer.file for _, pointer in pointers(line)] == ["file.md"]


@pytest.mark.parametrize("form", Form)
def test_saving_keeps_memory_tidy(form: Form) -> None:
    words = " ".join(told("saving", form=form).lower().split())
    assert re.search(r"header in step with (?:the )?body", words)
    assert re.search(r"by topic, (?:not|never) (?:by )?date", words)
    assert re.search(r"correct or remove", words)
    assert re.search(r"look (?:before you write|for an existing)", words)
    assert re.search(r"content never goes|never holds content", words)
    assert "200 lines" in words
    assert "25,000 characters" in words
    assert "lost" in words


@each_way
def test_consulting_is_wanted_when_relevant_due_when_asked_and_over_when_told(mode: Mode, form: Form) -> None:
    words = told("consulting", GUIDE, mode, form).lower()
    assert "use it" in words
    assert "you must" in words
    assert "empty" in words
    for deed in ("apply", "cite", "compare"):
        assert deed in words


@each_way
def test_what_a_memory_names_is_checked_before_it_is_recommended(mode: Mode, form: Form) -> None:
    words = told("verifying", GUIDE, mode, form)
    assert "existed then" in words
    for named in ("path", "function", "flag", "check", "recommend"):
        assert named in words
    assert re.search(r"[Aa] summary of activity.* is not the present state", words)


def test_old_memories_are_to_be_looked_at_closely() -> None:
    assert "age in days" in told("verifying")


@each_way
def test_memory_is_told_apart_from_plans_and_task_lists(mode: Mode, form: Form) -> None:
    words = told("plans", GUIDE, mode, form).lower()
    assert "plan" in words
    assert "task list" in words
    assert "conversation" in words


# 6.3 separate, named, extensible


@each_way
def test_a_section_depends_on_its_own_inputs_only(mode: Mode, form: Form) -> None:
    other = replace(GUIDE, search_past=Search.GREP, extra=("Another.",), override_named=True)
    changed = {one.name for one, two in _pairs(other, GUIDE, mode, form) if one != two}
    assert changed == {"title", "extra", "past_context"} - ({"extra"} if mode is DAILY_LOG else set())


def test_a_new_mode_is_a_value() -> None:
    brief = Mode("brief", frozenset({"on"}), {form: {"plans": "plans", "title": "title"} for form in Form})
    assert [section.name for section in mechanics(GUIDE, brief)] == ["title", "plans"]


@pytest.mark.parametrize("kind", Kind)
def test_a_kind_is_its_texts(kind: Kind) -> None:
    endings = (
        *("", "_examples", "_examples_combined", "_audience"),
        *("_compact", "_compact_combined"),
    )
    for ending in endings:
        assert sections.fields_of(f"kind_{kind}{ending}") <= {"audience", "examples"}


def test_modes_have_names_of_their_own() -> None:
    assert len({mode.name for mode in MODES}) == len(MODES)


# 6.4 combined


@pytest.mark.parametrize("form", Form)
def test_combined_mode_names_two_directories_that_both_exist(form: Form) -> None:
    title = told("title", GUIDE, COMBINED, form)
    assert "`/home/dev/memory/`" in title
    assert "team/`" in title
    assert re.search(r"Both (?:directories )?exist", title)


def test_a_team_directory_elsewhere_is_named_in_full() -> None:
    guide = replace(GUIDE, team_directory="/srv/team/")
    assert "`/srv/team/`" in told("title", guide, COMBINED, Form.COMPACT)


@pytest.mark.parametrize(
    ("kind", "audience"),
    [
        (Kind.USER, "always private"),
        (Kind.FEEDBACK, "private,? unless (?:it is )?a convention (?:that|for) every contributor"),
        (Kind.PROJECT, "mostly team"),
        (Kind.REFERENCE, "usually team"),
    ],
)
def test_each_kind_carries_its_audience(kind: Kind, audience: str) -> None:
    assert re.search(rf"- \*\*Audience:\*\* {audience}", _kind(kind, COMBINED))
    assert re.search(rf"- {kind} \({audience}", told("kinds", GUIDE, COMBINED, Form.COMPACT))


@pytest.mark.parametrize("form", Form)
def test_secrets_never_go_into_team_memory(form: Form) -> None:
    words = told("exclusions", GUIDE, COMBINED, form)
    assert "secrets" in words
    assert "in team memory" in words.lower()


@pytest.mark.parametrize("form", Form)
def test_private_feedback_against_the_team_is_not_saved_or_says_that_it_overrides(form: Form) -> None:
    words = told("kinds", GUIDE, COMBINED, form)
    assert re.search(r"(?:contradicts|against).{1,40}(?:do not save it|skip it), or (?:say|state)", words)
    assert "overrides" in words


@pytest.mark.parametrize("kind", Kind)
def test_examples_fit_the_mode(kind: Kind) -> None:
    private, combined = (_kind(kind, mode).partition("**Examples:**")[2] for mode in (PRIVATE, COMBINED))
    assert not re.search(r"as private|for the team", private)
    assert all(re.search(r"Save (?:as private|for the team)", line) for line in combined.strip().split("\n"))


@pytest.mark.parametrize("form", Form)
def test_private_mode_does_not_speak_of_audiences(form: Form) -> None:
    words = text(mechanics_and_index(GUIDE, PRIVATE, form)).lower()
    assert "audience" not in words
    assert "team memory" not in words
    assert "private" not in words


# 6.5 daily log


@pytest.mark.parametrize("form", Form)
def test_the_log_is_named_as_a_pattern_so_that_the_prompt_outlives_midnight(form: Form) -> None:
    words = text(mechanics(GUIDE, DAILY_LOG, form))
    assert "`logs/YYYY/MM/YYYY-MM-DD.md`" in words
    assert "local calendar day" in words
    assert not re.search(r"logs/\d", words)


@pytest.mark.parametrize("form", Form)
def test_log_lines_are_short_bullets_with_the_time_appended(form: Form) -> None:
    words = told("saving", GUIDE, DAILY_LOG, form)
    assert re.search(r"- \d\d:\d\d ", words)
    assert "Append" in words
    assert "short bullet" in words


@pytest.mark.parametrize("form", Form)
def test_what_to_log_is_listed_and_the_exclusions_apply(form: Form) -> None:
    words = told("kinds", GUIDE, DAILY_LOG, form).lower()
    for wanted in ("corrections", "preferences", "facts about the person", "derived", "pointers", "asked to"):
        assert wanted in words
    assert told("exclusions", GUIDE, DAILY_LOG, form) == told("exclusions", GUIDE, PRIVATE, form)


@pytest.mark.parametrize("form", Form)
def test_in_log_mode_the_index_is_read_and_not_edited(form: Form) -> None:
    words = told("saving", GUIDE, DAILY_LOG, form)
    assert re.search(r"(?:[Rr]ead|be read), (?:not edited|do not edit)", words.replace(" `MEMORY.md`", ""))
    assert "nightly" in words
    assert "Point at it" not in words


@pytest.mark.parametrize("form", Form)
def test_log_mode_has_no_extra_guidelines(form: Form) -> None:
    assert "extra" not in names(GUIDE, DAILY_LOG, form)
    assert "English" not in text(mechanics(GUIDE, DAILY_LOG, form))


def test_log_mode_shows_the_private_index_alone() -> None:
    guide = replace(GUIDE, index=clip_index(POINTER), team_index=clip_index("- [T](t.md) — team"))
    assert names(guide, DAILY_LOG)[-1] == "index"
    assert "t.md" not in text(mechanics_and_index(guide, DAILY_LOG))


# 6.6 searching past context


@each_way
def test_searching_can_be_switched_off(mode: Mode, form: Form) -> None:
    words = mechanics(replace(GUIDE, search_past=None), mode, form)
    assert "past_context" not in [section.name for section in words]
    assert "grep" not in text(words)


@each_way
@pytest.mark.parametrize("tool", Search)
def test_topic_files_are_searched_first_and_transcripts_last(mode: Mode, form: Form, tool: Search) -> None:
    words = told("past_context", replace(GUIDE, search_past=tool), mode, form)
    assert "narrow terms" in words
    assert 0 < words.index("*.md") < words.lower().index("last resort") < words.index("*.jsonl")
    assert "/home/dev/transcripts/" in words
    assert ("grep tool" in words) == (tool is Search.GREP)
    assert ("grep -r" in words) == (tool is Search.SHELL)


@each_way
@pytest.mark.parametrize("tool", Search)
def test_without_transcripts_only_topic_files_are_searched(mode: Mode, form: Form, tool: Search) -> None:
    words = told("past_context", replace(GUIDE, search_past=tool, transcripts=""), mode, form)
    assert "*.md" in words
    assert "jsonl" not in words


def test_the_commands_find_what_they_are_for_in_folders_of_any_name(tmp_path: Path) -> None:
    memory, past = tmp_path / "it's\n`$(touch broken)`", tmp_path / "<b>\udcff"
    for folder, file in ((memory / "team", "a.md"), (past / "sub", "b.jsonl")):
        folder.mkdir(parents=True)
        (folder / file).write_text('{"text": "before Rare-Word after"}\n')
    guide = replace(GUIDE, directory=f"{memory}/", transcripts=f"{past}/")
    commands = re.findall(r"```sh\n(.*?)\n```", told("past_context", guide), re.DOTALL)
    answers = [_bash(command.replace("TERM", "rare-word"), tmp_path) for command in commands]
    assert [b"Rare-Word" in answer for answer in answers] == [True, True]
    assert not (tmp_path / "broken").exists()


# 6.7 extra guidelines


def test_extra_guidelines_are_listed_in_order_and_blank_ones_left_out() -> None:
    words = told("extra", replace(GUIDE, extra=(" ", "First.", "", "Second,\nlonger.")))
    assert words.endswith("\n- First.\n- Second,\n  longer.")


@pytest.mark.parametrize("extra", [(), ("",), (" \n", "\t")])
@pytest.mark.parametrize("form", Form)
def test_without_extra_guidelines_there_is_no_such_section(extra: tuple[str, ...], form: Form) -> None:
    assert "extra" not in names(replace(GUIDE, extra=extra), form=form)


# 6.8 the same bytes


def test_the_same_inputs_give_the_same_bytes_in_every_process() -> None:
    code = "from memdir.prompt.guide import *; print([mechanics(Guide('/m/'), form=form) for form in Form])"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale},
            capture_output=True,
            check=True,
            timeout=20,
        ).stdout
        for seed, locale in (("1", "C"), ("2", "C.UTF-8"))
    }
    assert len(runs) == 1


# 6.9 the compact form


def test_the_compact_form_stays_below_its_limit() -> None:
    ways = list(product((PRIVATE, COMBINED, DAILY_LOG), [*Search, None], (False, True), (5, 120, 250, 290)))
    wrong = []
    for mode, tool, unindexed, length in ways:
        words = mechanics(_lengthy(tool, unindexed=unindexed, length=length), mode, Form.COMPACT)
        size, shown = len(text(words)), {section.name for section in words}
        missing = {"title", "kinds", "exclusions", "saving", "verifying"} - shown
        if size > COMPACT_CHARACTERS or missing:
            wrong.append(f"{mode.name} {tool} {unindexed=} {length=}: {size} characters, without {missing}")
    assert not wrong, "\n".join(wrong)
    assert COMPACT_CHARACTERS == 2_200


def _lengthy(tool: Search | None, *, unindexed: bool, length: int) -> Guide:
    home = "/" + "x" * (length - 9)
    return Guide(
        directory=f"{home}/memory/",
        team_directory=f"{home}/memory/team/",
        transcripts=f"{home[:-1]}y/",
        search_past=tool,
        skip_index=unindexed,
        override_named=True,
    )


def test_the_compact_form_gives_up_searching_before_it_gets_too_long() -> None:
    long = replace(GUIDE, transcripts="/" + "t" * 900, search_past=Search.SHELL)
    assert "past_context" not in names(long, form=Form.COMPACT)
    assert "past_context" in names(long)
    assert "past_context" in names(replace(GUIDE, extra=("x" * 5_000,)), form=Form.COMPACT), (
        "a caller's own words"
    )


def test_the_compact_form_is_a_fraction_of_the_full_one() -> None:
    full, compact = (len(text(mechanics(GUIDE, COMBINED, form))) for form in Form)
    assert compact < full / 4


def test_no_text_lies_unused() -> None:
    folder = Path(sections.__file__).parent / "text"
    families = (
        *(
            "name",
            "title",
            "why",
            "on_request",
            "kind",
            "what_to",
            "exclusions",
            "secrets",
            "saving",
            "steps",
        ),
        *("index", "team", "consulting", "verifying", "plans", "extra", "past_", "search_", "compact_"),
    )
    sections._TEXTS._texts.clear()
    for unindexed in (False, True):
        for tool in Search:
            guide = replace(GUIDE, skip_index=unindexed, search_past=tool, override_named=unindexed)
            shown = clip_index(POINTER)
            for one in (guide, replace(guide, index=shown, team_index=shown)):
                for mode, form in WAYS:
                    mechanics_and_index(one, mode, form)
    used = len(sections._TEXTS._texts)
    assert used == len([path for path in folder.glob("*.md") if path.name.startswith(families)])


def _kind(kind: Kind, mode: Mode) -> str:
    parts = re.split(r"^### ", told("kinds", GUIDE, mode), flags=re.MULTILINE)
    (found,) = [part.strip() for part in parts if part.startswith(f"`{kind}`")]
    return found


def _pairs(
    one: Guide, other: Guide, mode: Mode, form: Form
) -> list[tuple[sections.PromptSection, sections.PromptSection]]:
    return list(zip(mechanics(one, mode, form), mechanics(other, mode, form), strict=True))


def _bash(command: str, folder: Path) -> bytes:
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, check=False, timeout=10
    ).stdout


# A host that explains memory itself


def test_a_host_that_explains_memory_is_told_nothing_where_settings_change_nothing() -> None:
    assert additions(replace(GUIDE, extra=(), team_directory=None)) == []
    assert additions(replace(GUIDE, on=False, daily_log=True, skip_index=True)) == []


def test_it_is_told_of_a_missing_index_and_of_guidelines() -> None:
    guide = replace(GUIDE, skip_index=True, team_directory=None)
    found = {section.name: section.text for section in additions(guide)}
    assert list(found) == ["saving", "extra"]
    assert "leave `MEMORY.md` alone" in found["saving"]
    assert "Write memories in English." in found["extra"]


def test_it_is_told_of_team_memory_and_shown_its_index_which_it_does_not_load() -> None:
    found = {section.name: section.text for section in additions(replace(GUIDE, extra=()))}
    assert list(found) == ["title", "team_index"]
    assert str(GUIDE.team_directory) in found["title"]
    assert "never go into team memory" in found["title"]


@pytest.mark.parametrize("skip_index", [False, True])
def test_it_is_told_of_the_daily_log_without_guidelines(skip_index: bool) -> None:
    said = text(additions(replace(GUIDE, daily_log=True, skip_index=skip_index)))
    assert "logs/YYYY/MM/YYYY-MM-DD.md" in said
    assert "outranks" in said
    assert "Write memories in English." not in said
    assert ("MEMORY.md" in said) is not skip_index
    assert len(said) < COMPACT_CHARACTERS / 2


@pytest.mark.parametrize(
    ("tools", "search"),
    [
        ((), Search.SHELL),
        (("Bash", "Read"), Search.SHELL),
        (("Bash", "Grep"), Search.GREP),
        (("file_grep", "read"), Search.GREP),
        (("ripgrep",), Search.GREP),
        (("pgrepper",), Search.SHELL),
    ],
)
def test_past_context_is_searched_with_the_tool_that_the_agent_has(
    tools: tuple[str, ...], search: Search
) -> None:
    assert Reader(tools=tools).search is search
