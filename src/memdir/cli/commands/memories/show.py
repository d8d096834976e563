"""Commands that show memories as they are: list, show, index, search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import TextCommand, command, flag, limit_option, name_argument, option
from memdir.cli.failure import ExitCode
from memdir.cli.output import (
    advise,
    answer,
    columns,
    hint,
    moment,
    one_line,
    printable,
    say,
    say_exactly,
    say_json,
    show_progress,
    style,
    wants_json,
)
from memdir.cli.report import fields, memory_shape, tell_orphans
from memdir.cli.target import Target
from memdir.memories.topic import Kind, age_in_words, days_old
from memdir.text.secrets.fast_search import without_secrets

if TYPE_CHECKING:
    from memdir.conversation.search import TranscriptMatches
    from memdir.memories.topic import Header, Topic
    from memdir.recall.search import Hit

__all__ = ["index", "list_memories", "search", "show"]

NO_KIND = "none"
"""How a file without a kind is called where kinds are listed."""


@command("memdir list --kind feedback --limit 10", name="list", doing="Reading")
@option("--kind", "Only memories of this kind.", type=click.Choice([*(kind.value for kind in Kind), NO_KIND]))
@limit_option
def list_memories(target: Target, kind: str | None, limit: int | None) -> None:
    """List what is remembered, newest first."""
    memory = target.memory()
    headers = memory.list(kind=kind, limit=limit)
    if headers:
        now = datetime.now(UTC)
        lines = columns([_row(header, now) for header in headers], bold=2)
    elif kind:
        lines = [f"No memory of kind {kind}. `{target.command('list')}` shows all kinds."]
    else:
        save = f'Save one: {target.command("remember")} "..."'
        lines = [f"No memories yet in {one_line(memory.directory)}", save]
    answer({"memories": [memory_shape(header) for header in headers]}, *lines)
    if not headers and not wants_json():
        tell_orphans(memory)


@command("memdir show terse-replies", doing="Reading")
@name_argument("name")
@flag("--raw", "Print the file as it stands on disk, header included.")
def show(target: Target, name: str, raw: bool) -> None:
    """Show one memory.

    NAME is the memory's name or its file.
    """
    topic = target.memory().read(name)
    say_json({**memory_shape(topic.header), "body": topic.body, "text": topic.text})
    if raw:
        say_exactly(topic.text)
    else:
        say(*_headline(topic, datetime.now(UTC)), "", printable(topic.body.strip("\n")))


@command("memdir index --raw", doing="Reading")
@flag("--raw", "Print the text alone, as a prompt gets it.")
def index(target: Target, raw: bool) -> None:
    """Print the index as a conversation loads it.

    That is healed, whatever the file says, and cut to its limits.
    """
    loaded = target.memory().context.index()
    say_json(fields(loaded, "content lines characters bytes over_lines over_characters cut"))
    if raw:
        say_exactly(f"{loaded.content}\n" if loaded.content else "")
        return
    say(printable(loaded.content) or "The index is empty.")
    if loaded.cut:
        advise(f"{loaded.cut} lines did not fit. `{target.command('doctor')}` says what to do.")


def _row(header: Header, now: datetime) -> tuple[str, ...]:
    age = age_in_words(days_old(header.saved_at, now))
    words = (one_line(without_secrets(text)) for text in (header.address, header.description))
    return age, header.kind or NO_KIND, *words


def _headline(topic: Topic, now: datetime) -> list[str]:
    header = topic.header
    about = [header.kind or "no kind", f"saved {age_in_words(days_old(header.saved_at, now))}"]
    about += ["pinned"] if header.pinned else []
    about += [f"expires {one_line(header.expires)}"] if header.expires else []
    name = style(one_line(header.title or header.name), bold=True)
    lines = [one_line(header.description), style(one_line(header.file), dim=True)]
    return [f"{name} ({', '.join(about)})", *filter(None, lines)]


_MESSAGES = 10
"""Messages of past conversations that are shown if nobody says how many."""


@command(
    "memdir search 'deploy|release' -C 2", "memdir search --transcripts 'staging cluster'", cls=TextCommand
)
@click.argument("pattern")
@flag("--plain -F", "Look for the text itself, not for a regular expression.")
@flag("--case -s exact_case", "Tell upper case from lower case.")
@option("--context -C", "Also N lines around each.", metavar="N", type=click.IntRange(0, 1_000), default=0)
@flag("--transcripts", "Look in past conversations instead: PATTERN is words.")
@option(
    "--limit",
    "Only the first N lines; with --transcripts, messages (10 if left out).",
    metavar="N",
    type=click.IntRange(1, 1_000),
)
@flag("--exit-code", "End with 1 when nothing matches.")
def search(
    target: Target, /, *, pattern: str, transcripts: bool, limit: int | None, exit_code: bool, **how: Any
) -> int:
    """Find lines in memories, newest memory first.

    PATTERN is a regular expression; upper and lower case are the same. Headers are searched too.
    """
    recalls = target.memory().recalls
    with show_progress("Searching"):
        past = recalls.search_transcripts(pattern, limit=limit or _MESSAGES) if transcripts else None
        lines: Sequence[Hit] = [] if past else recalls.search(pattern, **how)
    if past:
        _say_past(past)
    else:
        _say_lines(lines, limit)
    has_hits = bool(past.hits if past else lines)
    return ExitCode.ERROR if exit_code and not has_hits else ExitCode.OK


def _say_lines(found_lines: Sequence[Hit], limit: int | None) -> None:
    hits = found_lines[:limit]
    keys = "header.file header.name line=number text=line before after"
    lines = _lines(hits) if hits else ["No memory has a line that matches."]
    answer({"hits": [fields(hit, keys) for hit in hits]}, *lines)
    if len(hits) < len(found_lines):
        left = len(found_lines) - len(hits)
        hint(f"{left:,} more {'line matches' if left == 1 else 'lines match'}; a larger --limit shows more.")


def _say_past(found: TranscriptMatches) -> None:
    """Print what past conversations said, the newest first."""
    keys = "path session message role at excerpt"
    hits = [{**fields(hit, keys), "at": hit.at.isoformat() if hit.at else None} for hit in found.hits]
    lines = [] if hits else ["No past conversation here has these words."]
    for hit in found.hits:
        lines += [style(one_line(f"{moment(hit.at)}  {hit.role}  {hit.path}"), bold=True)]
        lines += [f"  {printable(hit.excerpt)}"]
    answer({"hits": hits, "complete": found.complete}, *lines)
    if hits and not found.complete:
        advise("There is more, in older conversations; --limit N shows more of it.")


def _lines(hits: Sequence[Hit]) -> Iterator[str]:
    """Yield each file's name once, then its lines: a colon marks those that match, a dash the others."""
    for number, (file, group) in enumerate(groupby(hits, key=lambda hit: hit.header.file)):
        if number:
            yield ""
        yield style(one_line(file), bold=True)
        last = 0
        for at, (line, is_hit) in sorted(_lines_to_show(group).items()):
            if last and at > last + 1:
                yield "--"
            yield f"{at}{':' if is_hit else '-'} {printable(line)}"
            last = at


def _lines_to_show(hits: Iterable[Hit]) -> dict[int, tuple[str, bool]]:
    """Return the lines to show by number: two hits may stand in each other's surroundings."""
    lines: dict[int, tuple[str, bool]] = {}
    for hit in hits:
        around = [*hit.before, hit.line, *hit.after]
        for at, line in enumerate(around, hit.number - len(hit.before)):
            lines[at] = (line, at == hit.number or (at in lines and lines[at][1]))
    return lines
