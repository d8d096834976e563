"""docs/cli.md names every command, argument, option, exit code and environment variable there is."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from memdir.cli.app import memdir
from memdir.cli.failure import ExitCode
from memdir.config.variables import VARIABLES

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
SECTIONS = dict(re.findall(r"^### `memdir ([\w-]+)[^\n]*\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))
OTHER_VARIABLES = ("VISUAL", "EDITOR", "NO_COLOR", "COLUMNS", "HOME")


def test_a_command_is_documented_with_all_it_takes() -> None:
    wrong = []
    for command in memdir.commands.values():
        section = SECTIONS.get(command.name or "", "")
        if not section:
            wrong.append(f"docs/cli.md has no section '### `memdir {command.name}`'")
        named = [option for parameter in command.params for option in _spellings(parameter)]
        if missing := [option for option in named if f"`{option}" not in section]:
            wrong.append(f"memdir {command.name}: {missing}")
    assert not wrong, "\n".join(wrong)


def test_a_command_below_another_is_documented_with_all_it_takes() -> None:
    whole = dict(
        re.findall(r"^### `memdir ([\w-]+)[^\n]*\n(.*?)(?=^###? |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    )
    wrong = []
    for words, command in _below(memdir, ()):
        section = whole[words[0]]
        options = [option for one in command.params for option in _spellings(one) if option != "--json"]
        wrong += [f"memdir {' '.join(words)}"] if f"`memdir {' '.join(words)}" not in section else []
        wrong += [f"memdir {' '.join(words)}: {one}" for one in options if f"`{one}" not in section]
    assert not wrong, "\n".join(wrong)


def test_every_documented_command_exists() -> None:
    assert set(SECTIONS) == set(memdir.commands)


def test_every_global_option_is_documented() -> None:
    page = PAGE.partition("## Commands")[0]
    missing = [
        option for parameter in memdir.params for option in _spellings(parameter) if f"`{option}" not in page
    ]
    assert missing == []


def test_every_exit_code_is_documented() -> None:
    assert [code for code in ExitCode if f"| {code.value} |" not in PAGE] == []


def test_every_environment_variable_is_documented() -> None:
    names = [*VARIABLES, *(other for others in VARIABLES.values() for other in others), *OTHER_VARIABLES]
    assert [name for name in names if f"`{name}`" not in PAGE] == []


def test_every_variable_of_ours_that_the_code_reads_is_on_a_page() -> None:
    root = Path(__file__).parents[2]
    pages = "".join(path.read_text() for path in (root / "docs").rglob("*.md"))
    code = "".join(path.read_text() for path in (root / "src" / "memdir").rglob("*.py"))
    read = set(re.findall(r'"(_?MEMDIR_[A-Z_]+)"', code))
    assert read
    assert [name for name in sorted(read) if name not in pages] == []


def test_every_command_has_an_example_in_its_help() -> None:
    assert [
        name for name, command in memdir.commands.items() if "Example:" not in (command.epilog or "")
    ] == []


def _below(group: click.Command, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield the commands of a group's commands, with the words that name them."""
    for name, command in group.commands.items() if isinstance(group, click.Group) else ():
        if words:
            yield (*words, name), command
        yield from _below(command, (*words, name))


def _spellings(parameter: click.Parameter) -> list[str]:
    """Return how an option is typed; an argument has no spelling of its own."""
    return [*parameter.opts, *parameter.secondary_opts] if isinstance(parameter, click.Option) else []
