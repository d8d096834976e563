"""Commands that write memories: remember, forget, rename."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import TextCommand, command, flag, name_argument, option, piped_data
from memdir.cli.output import (
    advise,
    answer,
    confirm,
    hint,
    nobody_answers,
    one_line,
    say,
    show_progress,
    wants_json,
)
from memdir.cli.report import fields, hint_at_rules, report_saved, undo_lines
from memdir.cli.target import Target
from memdir.errors import Rejected
from memdir.memories.topic import Kind
from memdir.recall.limits import Limits
from memdir.text.numbers import count
from memdir.text.value import replace

if TYPE_CHECKING:
    from datetime import date

    from memdir.memories.topic import Header
    from memdir.memory import Memory

__all__ = ["forget", "remarks", "remember", "rename"]


SOURCES = ("user", "assistant", "tool", "import", "team")
"""Whose words a memory holds (DESIGN, Words)."""

_MOST_PIPED = 1_000_000
"""Bytes read from a pipe: four times what a memory may hold."""

_WORDS_SHOWN = 5
"""Words of a purged memory that are named before the rest is counted."""


@command('memdir remember "Reply briefly, without a summary at the end." --kind feedback', cls=TextCommand)
@click.argument("text", nargs=-1)
@option(
    "--kind",
    "What it is about; proposed from the text if left out, feedback with a rule.",
    type=click.Choice([kind.value for kind in Kind]),
)
@option("--name", "Its name, made from the text if left out; one that exists is updated.", default="")
@option("--description", "What it holds, in one line; made from the text if left out.", default="")
@option("--why", "The reason, kept as its own line.", default="")
@option("--how", "How to apply it, kept as its own line.", default="")
@option("--title", "How the index calls it, in place of its name.", default="")
@flag("--pin pinned", "Keep it in the index whatever its age.")
@option(
    "--expires",
    "The last day (2030-12-31) on which it holds and is recalled.",
    metavar="DATE",
    type=click.DateTime(["%Y-%m-%d"]),
)
@option(
    "--supersedes",
    "The memory whose place it takes; that one goes to the trash.",
    metavar="NAME",
    default="",
)
@option(
    "--enforce", "A rule that agents are held to, as 'Bash: git push * main'.", metavar="RULE", multiple=True
)
@option("--source", "Whose words these are.", type=click.Choice(SOURCES), default="user")
@option("--reason", "Why it is saved; history shows it.", default="")
@flag("--team audience", "For everyone on the project, in team memory.", flag_value="team", default="private")
@flag("--literal", "Add no dates to the days that the text names.")
@flag("--allow-secret", "Save although it holds a credential, in this file only.")
@flag("--strict", "Refuse what the project or its instruction files say anyway, instead of a hint.")
def remember(
    target: Target,
    /,
    *,
    text: tuple[str, ...],
    expires: datetime | None,
    enforce: tuple[str, ...],
    **draft: Any,
) -> None:
    """Save a memory, or update the one of that name.

    TEXT is what to remember. `-`, or no TEXT at all, reads it from standard input.
    """
    if not all(rule.strip() for rule in enforce):
        raise Rejected("--enforce is empty. Write a rule, as 'Bash: git push * main', or leave it out.")
    body = _text_given(text)
    memory = target.memory()
    until, rules = f"{expires:%Y-%m-%d}" if expires else "", "; ".join(enforce)
    with show_progress("Saving"):
        saved = memory.remember(body, expires=until, enforce=rules, **draft)
        saved = replace(saved, warnings=(*saved.warnings, *memory.doctor.contradictions(saved.file)))
    report_saved(target, memory, "Saved" if saved.created else "Updated", saved)
    hint(*remarks(saved.header, body, name=draft["name"], today=datetime.now(UTC).date()))
    if enforce and not wants_json():
        from memdir.memories.enforce import rules_in

        made = rules_in(rules)
        say(*[f"Rule: {one_line(rule.text)}" for rule in made])
        hint_at_rules(memory, made)


@command("memdir forget terse-replies")
@name_argument("name")
@option("--reason", "Why it goes; history shows it.", default="")
@flag("--purge", "Remove it for good, also from history and remotes; no undo.")
@flag("--yes", "Do not ask before a purge.")
def forget(target: Target, *, name: str, reason: str, purge: bool, yes: bool) -> None:
    """Remove a memory; undo brings it back.

    NAME is the memory's name or its file. The text is kept in the trash and in history, unless --purge.
    """
    memory = target.memory()
    if purge:
        _purge(memory, name, yes=yes)
        return
    with show_progress("Forgetting"):
        gone = memory.forget(name, reason=reason)
    undo = undo_lines(target, memory, gone.operation)
    answer(fields(gone, "file path operation warnings"), f"Forgot {one_line(gone.file)}", *undo)
    hint(*gone.warnings)


@command("memdir rename terse-replies short-replies", doing="Renaming")
@name_argument("name")
@click.argument("new")
def rename(target: Target, name: str, new: str) -> None:
    """Give a memory another name, and the file that goes with it."""
    memory = target.memory()
    report_saved(target, memory, "Renamed to", memory.rename(name, new))


_NOTHING = 'There is nothing to remember. Add the text: memdir remember "...", or pipe it in.'


def _text_given(words: tuple[str, ...]) -> str:
    """Return the text of the command line, or what is piped in."""
    if not words and (sys.stdin is None or sys.stdin.isatty()):
        raise click.UsageError(_NOTHING)
    text = " ".join(words) if words not in {(), ("-",)} else _piped_text()
    if not text.strip():
        raise Rejected(_NOTHING)
    return text


def _piped_text() -> str:
    try:
        return piped_data(_MOST_PIPED, "Save what is worth recalling and point at the rest.").decode(
            "utf-8-sig"
        )
    except UnicodeDecodeError as error:
        raise Rejected(
            f"The piped text is not UTF-8 (byte {error.start + 1}). Convert it, for example with iconv."
        ) from error


def remarks(header: Header, text: str, *, name: str, today: date) -> list[str]:
    """Return hints: another name than the one given, a day that is over, more than a recall shows."""
    found = []
    if name and header.name != name:
        found.append(f"It is called {header.name!r}: a name has letters, digits and dashes.")
    if header.is_over(today):
        found.append(f"{header.expires} is over, so it has expired already. --expires sets another day.")
    size, lines, most = len(text.encode("utf-8", "replace")), text.count("\n") + 1, Limits()
    if size > most.bytes or lines > most.lines:
        found.append(
            f"It has {size:,} bytes in {count(lines, 'line')}; a recall shows "
            f"the first {most.lines:,} lines and {most.bytes:,} bytes of it. "
            "Put what matters first, or save it in parts."
        )
    return found


def _purge(memory: Memory, name: str, *, yes: bool) -> None:
    """Show what goes, ask, remove it everywhere, and say what was searched and what is left."""
    if wants_json() and not yes:
        raise nobody_answers()
    with show_progress("Searching"):
        target = memory.transfer.purge_target(name)
    say(f"For good: {', '.join(map(one_line, target.files))}, and these words wherever they are kept:")
    say(*[f"  {one_line(word)[:100]}" for word in target.words[:_WORDS_SHOWN]])
    if len(target.words) > _WORDS_SHOWN:
        say(f"  and {len(target.words) - _WORDS_SHOWN} more")
    if not (yes or confirm("This cannot be undone. Remove it everywhere?")):
        say("Nothing was removed.")
        return
    with show_progress("Removing"):
        done = memory.transfer.purge(name)
    lines = ["Removed:", *[f"  {one_line(one)}" for one in done.removed]]
    lines += ["Searched:", *[f"  {one_line(one)}" for one in done.searched]]
    answer({"files": target.files, **fields(done, "searched removed left")}, *lines)
    advise(*[f"Left: {one_line(one)}" for one in done.left])
