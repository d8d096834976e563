"""The command that finds lines in memories: search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import TextCommand, command
from memdir.cli.failure import ExitCode
from memdir.cli.output import advise, hint, moment, one_line, printable, say, say_json, style, working
from memdir.cli.report import fields
from memdir.cli.target import Target

if TYPE_CHECKING:
    from memdir.conversation.search import TranscriptMatches
    from memdir.recall.search import Hit

__all__ = ["search"]

_MESSAGES = 10
"""Messages of past conversations that are shown if nobody says how many."""


@command(
    "memdir search 'deploy|release' -C 2", "memdir search --transcripts 'staging cluster'", cls=TextCommand
)
@click.argument("pattern")
@click.option("--plain", "-F", is_flag=True, help="Look for the text itself, not for a regular expression.")
@click.option("--case", "-s", "exact_case", is_flag=True, help="Tell upper case from lower case.")
@click.option(
    "--context", "-C", metavar="N", type=click.IntRange(0, 1_000), default=0, help="Also N lines around each."
)
@click.option("--transcripts", is_flag=True, help="Look in past conversations instead: PATTERN is words.")
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(1, 1_000),
    help="Only the first N lines; with --transcripts, messages (10 if left out).",
)
@click.option("--exit-code", is_flag=True, help="End with 1 when nothing matches.")
def search(
    target: Target, /, *, pattern: str, transcripts: bool, limit: int | None, exit_code: bool, **how: Any
) -> int:
    """Find lines in memories, newest memory first.

    PATTERN is a regular expression; upper and lower case are the same. Headers are searched too.
    """
    recalls = target.memory().recalls
    with working("Searching"):
        past = recalls.search_transcripts(pattern, limit=limit or _MESSAGES) if transcripts else None
        lines: Sequence[Hit] = [] if past else recalls.search(pattern, **how)
    if past:
        _say_past(past)
    else:
        _say_lines(lines, limit)
    has_hits = bool(past.hits if past else lines)
    return ExitCode.ERROR if exit_code and not has_hits else ExitCode.OK


def _say_lines(found_lines: Sequence[Hit], limit: int | None) -> None:
    """Print the lines that match, up to a limit."""
    hits = found_lines[:limit]
    keys = "header.file header.name line=number text=line before after"
    say_json({"hits": [fields(hit, keys) for hit in hits]})
    say(*(_lines(hits) if hits else ["No memory has a line that matches."]))
    if len(hits) < len(found_lines):
        left = len(found_lines) - len(hits)
        hint(f"{left:,} more {'line matches' if left == 1 else 'lines match'}; a larger --limit shows more.")


def _say_past(found: TranscriptMatches) -> None:
    """Print what past conversations said, the newest first."""
    keys = "path session message role at excerpt"
    hits = [{**fields(hit, keys), "at": hit.at.isoformat() if hit.at else None} for hit in found.hits]
    say_json({"hits": hits, "complete": found.complete})
    for hit in found.hits:
        say(style(one_line(f"{moment(hit.at)}  {hit.role}  {hit.path}"), bold=True))
        say(f"  {printable(hit.excerpt)}")
    if not found.hits:
        say("No past conversation here has these words.")
    elif not found.complete:
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
            was_hit = lines.get(at, ("", False))[1]
            lines[at] = (line, was_hit or at == hit.number)
    return lines
