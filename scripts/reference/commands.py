"""docs/cli.md: every command with its arguments, options and example, as click knows them."""

import re
from collections.abc import Iterator

import click
from scripts.reference.text import beginning, code, table

from memdir.cli.app import GROUPS, memdir

__all__ = ["JSON", "MORE", "page"]

JSON = dict(line.split(": ", 1) for line in beginning("json.txt").splitlines())
"""What `--json` prints, by command: the keys of the object."""

MORE = dict(line.split(": ", 1) for line in beginning("more.txt").splitlines())
"""The page that tells more about a command than its help, by command."""

_SPELLED = re.compile(r"`[^`]*`|(?<![\w-])--?[a-z][\w-]*|\b[A-Z]{2,}\b")
"""Code as it stands, an option, and a word in capitals, which may be an argument."""


def page() -> str:
    """Return the whole page."""
    top = click.Context(memdir, info_name="memdir")
    options = _options(memdir, top, "memdir")
    groups = [
        f"## {title}\n\n" + "\n".join(_section((name,), memdir.commands[name], top) for name in names)
        for title, names in GROUPS.items()
    ]
    return beginning("commands.md").replace("{global options}\n", options) + "\n" + "\n".join(groups)


def _section(words: tuple[str, ...], command: click.Command, above: click.Context) -> str:
    """Return what there is about one command, and below it about those that follow its name."""
    context = click.Context(command, info_name=words[-1], parent=above)
    name = " ".join(words)
    typed = " ".join(["memdir", name, *_arguments(command, context)])
    mark = "###" if len(words) == 1 else "####"
    parts = [f"{mark} `{typed}`\n", _help(command, context)]
    parts += [f"More: {MORE[name]}.\n"] if name in MORE else []
    parts += [f"```sh\n{_example(command)}```\n"] if _example(command) else []
    parts += [table_] if (table_ := _options(command, context, name)) else []
    below = command.commands.items() if isinstance(command, click.Group) else ()
    return "\n".join([*parts, *(_section((*words, word), one, context) for word, one in below)])


def _arguments(command: click.Command, context: click.Context) -> list[str]:
    return [one.make_metavar(context) for one in command.params if isinstance(one, click.Argument)]


def _help(command: click.Command, context: click.Context) -> str:
    """Return the help with options and arguments marked as code, a line a paragraph."""
    names = {word for argument in _arguments(command, context) for word in re.findall(r"[A-Z]{2,}", argument)}
    names |= {one.metavar for one in command.params if isinstance(one, click.Option) and one.metavar}
    paragraphs = [" ".join(one.split()) for one in (command.help or "").split("\n\n")]
    return "\n\n".join(_marked(one, names) for one in paragraphs if one) + "\n"


def _marked(text: str, names: set[str]) -> str:
    def mark(found: re.Match[str]) -> str:
        word = found[0]
        return code(word) if word.startswith("-") or word in names else word

    return _SPELLED.sub(mark, text)


def _example(command: click.Command) -> str:
    _, _, lines = (command.epilog or "").partition("Example:\n")
    return "".join(f"{line.strip()}\n" for line in lines.splitlines())


def _options(command: click.Command, context: click.Context, name: str) -> str:
    rows = [
        (", ".join(map(code, _spellings(one))), " ".join(_about(one, name)))
        for one in command.params
        if isinstance(one, click.Option)
    ]
    rows += [("`-h`, `--help`", "Show the help and exit.")] if context.parent is None else []
    return table(("option", "what it does"), rows) if rows else ""


def _spellings(option: click.Option) -> list[str]:
    """Return how it is typed, with what it takes."""
    takes = "" if option.is_flag else f" {option.metavar or _value(option)}"
    return [f"{one}{takes}" for one in (*option.opts, *option.secondary_opts)]


def _value(option: click.Option) -> str:
    if isinstance(option.type, click.IntRange):
        return "N"
    return (option.name or "").upper() if isinstance(option.type, click.Choice) else "TEXT"


def _about(option: click.Option, name: str) -> Iterator[str]:
    """Yield what it does, its choices, its range and its default."""
    if "--json" in option.opts:
        yield f"Print one JSON object: {JSON.get(name, 'add its keys to scripts/reference/json.txt')}."
        return
    yield _marked(option.help or "", set())
    if isinstance(option.type, click.Choice):
        yield f"One of {', '.join(map(code, option.type.choices))}."
    if isinstance(option.type, click.IntRange) and option.type.max is not None:
        yield f"From {option.type.min} to {option.type.max:,}."
    if isinstance(option.default, str | int) and option.default and not option.is_flag:
        yield f"Default: `{option.default}`."
    if option.multiple:
        yield "May be given several times."
