"""The command that finds lines in memories: search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import TextCommand, example, json_option
from memdir.cli.failure import ExitCode
from memdir.cli.json_shapes import fields
from memdir.cli.output import hint, moment, one_line, printable, say, say_json, style, working

if TYPE_CHECKING:
    from memdir.conversation.search import TranscriptMatch, TranscriptMatches
    from memdir.recall.search import Hit

__all__ = ["search"]

_MESSAGES = 10
"""Messages of past conversations that are shown if nobody says how many."""


@click.command(
    cls=TextCommand,
    epilog=example("memdir search 'deploy|release' -C 2", "memdir search --transcripts 'staging cluster'"),
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
@json_option
@click.pass_context
def search(
    context: click.Context,
    /,
    *,
    pattern: str,
    transcripts: bool,
    limit: int | None,
    exit_code: bool,
    as_json: bool,
    **how: Any,
) -> None:
    """Find lines in memories, newest memory first.

    PATTERN is a regular expression; upper and lower case are the same. Headers are searched too.
    """
    memory = context.obj.memory()
    with working("Searching"):
        past = memory.recalls.search_transcripts(pattern, limit=limit or _MESSAGES) if transcripts else None
        lines = [] if past else memory.recalls.search(pattern, **how)
    if past:
        _say_past(past, as_json=as_json)
    else:
        _say_lines(lines, limit, as_json=as_json)
    has_hits = bool(past.hits if past else lines)
    context.exit(ExitCode.ERROR if exit_code and not has_hits else ExitCode.OK)


def _say_lines(found_lines: list[Hit], limit: int | None, *, as_json: bool) -> None:
    """Print the lines that match, up to a limit."""
    hits = found_lines[:limit]
    if as_json:
        say_json({"hits": [_shape(hit) for hit in hits]})
    elif hits:
        say(*_lines(hits))
    else:
        say("No memory has a line that matches.")
    if len(hits) < len(found_lines):
        left = len(found_lines) - len(hits)
        hint(f"{left:,} more {'line matches' if left == 1 else 'lines match'}; a larger --limit shows more.")


def _say_past(found: TranscriptMatches, *, as_json: bool) -> None:
    """Print what past conversations said, the newest first."""
    if as_json:
        say_json({"hits": [_past_shape(hit) for hit in found.hits], "complete": found.complete})
        return
    for hit in found.hits:
        say(
            style(one_line(f"{moment(hit.at)}  {hit.role}  {hit.path}"), bold=True),
            f"  {printable(hit.excerpt)}",
        )
    if not found.hits:
        say("No past conversation here has these words.")
    elif not found.complete:
        hint("There is more, in older conversations; --limit N shows more of it.")


def _past_shape(hit: TranscriptMatch) -> dict[str, Any]:
    at = hit.at.isoformat() if hit.at else None
    return {**fields(hit, "path session message role at excerpt"), "at": at}


def _lines(hits: list[Hit]) -> Iterator[str]:
    """Yield each file's name once, then its lines: a colon marks those that match, a dash the others."""
    for number, (file, group) in enumerate(groupby(hits, key=lambda hit: hit.header.file)):
        if number:
            yield ""
        yield style(one_line(file), bold=True)
        last = 0
        for at, (line, is_hit) in sorted(_merged(group).items()):
            if last and at > last + 1:
                yield "--"
            yield f"{at}{':' if is_hit else '-'} {printable(line)}"
            last = at


def _merged(hits: Iterable[Hit]) -> dict[int, tuple[str, bool]]:
    """Return the lines to show by number: two hits may stand in each other's surroundings."""
    lines: dict[int, tuple[str, bool]] = {}
    for hit in hits:
        around = [*hit.before, hit.line, *hit.after]
        for at, line in enumerate(around, hit.number - len(hit.before)):
            was_hit = lines.get(at, ("", False))[1]
            lines[at] = (line, was_hit or at == hit.number)
    return lines


def _shape(hit: Hit) -> dict[str, Any]:
    found = {"line": hit.number, "text": hit.line}
    return {**fields(hit, "header.file header.name"), **found, **fields(hit, "before after")}
