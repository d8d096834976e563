"""Commands that show memories as they are: list, show, index."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from memdir.cli.arguments import command, name_argument
from memdir.cli.output import (
    advise,
    columns,
    one_line,
    printable,
    say,
    say_exactly,
    say_json,
    style,
    wants_json,
    working,
)
from memdir.cli.report import fields, memory_shape, tell_orphans
from memdir.cli.target import Target
from memdir.memories.topic import Kind, age_in_words, days_old
from memdir.text.secrets.fast_search import without_secrets

if TYPE_CHECKING:
    from memdir.memories.topic import Header, Topic

__all__ = ["index", "list_memories", "show"]

NO_KIND = "none"
"""How a file without a kind is called where kinds are listed."""


@command("memdir list --kind feedback --limit 10", name="list")
@click.option(
    "--kind", type=click.Choice([*(kind.value for kind in Kind), NO_KIND]), help="Only memories of this kind."
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the newest so many.")
def list_memories(target: Target, kind: str | None, limit: int | None) -> None:
    """List what is remembered, newest first."""
    memory = target.memory()
    with working("Reading"):
        headers = memory.list(kind=kind, limit=limit)
    if wants_json():
        say_json({"memories": [memory_shape(header) for header in headers]})
    elif headers:
        say(*columns((_row(header, datetime.now(UTC)) for header in headers), bold=2))
    elif kind:
        say(f"No memory of kind {kind}. `{target.command('list')}` shows all kinds.")
    else:
        say(f"No memories yet in {one_line(memory.directory)}")
        say(f'Save one: {target.command("remember")} "..."')
    if not headers and not wants_json():
        tell_orphans(memory)


@command("memdir show terse-replies")
@name_argument("name")
@click.option("--raw", is_flag=True, help="Print the file as it stands on disk, header included.")
def show(target: Target, name: str, raw: bool) -> None:
    """Show one memory.

    NAME is the memory's name or its file.
    """
    with working("Reading"):
        topic = target.memory().read(name)
    say_json({**memory_shape(topic.header), "body": topic.body, "text": topic.text})
    if raw:
        say_exactly(topic.text)
    else:
        say(*_headline(topic, datetime.now(UTC)), "", printable(topic.body.strip("\n")))


@command("memdir index --raw")
@click.option("--raw", is_flag=True, help="Print the text alone, as a prompt gets it.")
def index(target: Target, raw: bool) -> None:
    """Print the index as a conversation loads it.

    That is healed, whatever the file says, and cut to its limits.
    """
    with working("Reading"):
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
    lines = [
        f"{name} ({', '.join(about)})",
        one_line(header.description),
        style(one_line(header.file), dim=True),
    ]
    return [line for line in lines if line]
