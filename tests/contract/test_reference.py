"""The reference pages are what the code says: commands, settings, variables, errors, formats."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from scripts.reference.__main__ import DOCS, PAGES
from scripts.reference.commands import JSON, MORE
from scripts.reference.errors import DO, MEANINGS
from scripts.reference.formats import MEANINGS as KEY_MEANINGS
from scripts.reference.formats import written_keys
from scripts.reference.variables import VARIABLE_MEANINGS

from memdir import errors
from memdir.cli.app import memdir
from memdir.cli.failure import ExitCode
from memdir.config.keys import KEYS
from memdir.config.world import VARIABLES
from memdir.doctor.environment import REPORTED
from memdir.doctor.finding import CODES
from memdir.memories.review import HINTS


def commands(group: click.Group = memdir, above: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield every command with the words that name it."""
    for word, command in group.commands.items():
        yield f"{above}{word}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{above}{word} ")


COMMANDS = dict(commands())


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_code_says(name: str) -> None:
    assert (DOCS / name).read_text("utf-8") == PAGES[name](), "run: python -m scripts.reference"


def test_every_command_stands_on_the_page_with_its_options() -> None:
    page = PAGES["cli.md"]()
    sections = dict(re.findall(r"^###+ `memdir ([^`]+)`\n(.*?)(?=^##|\Z)", page, re.MULTILINE | re.DOTALL))
    named = {re.sub(r" \[?[A-Z].*", "", typed): text for typed, text in sections.items()}
    assert set(named) == set(COMMANDS)
    for name, command in COMMANDS.items():
        options = [option for one in command.params if isinstance(one, click.Option) for option in one.opts]
        assert [one for one in options if f"`{one}" not in named[name]] == [], name


def test_every_command_and_option_says_what_it_does_with_an_example() -> None:
    options = [
        (name, one.name)
        for name, command in COMMANDS.items()
        for one in command.params
        if isinstance(one, click.Option) and not one.help
    ]
    assert options == []
    assert [name for name, one in COMMANDS.items() if "Example:" not in (one.epilog or "")] == []
    assert [name for name, one in COMMANDS.items() if not one.help] == []


def test_what_is_written_by_hand_about_commands_is_about_those_there_are() -> None:
    with_json = {n for n, one in COMMANDS.items() if any("--json" in option.opts for option in one.params)}
    assert set(JSON) == with_json
    assert set(MORE) <= set(COMMANDS)


def test_every_setting_says_in_a_sentence_what_it_does() -> None:
    assert [key.name for key in KEYS.values() if not re.fullmatch(r"\S.*\.", key.what)] == []


def test_every_variable_that_the_code_reads_says_what_it_does() -> None:
    code = "".join(path.read_text() for path in (DOCS.parent / "src" / "memdir").rglob("*.py"))
    read = {name for name in re.findall(r'"(MEMDIR_[A-Z_]+)"', code) if not name.endswith("_")}
    assert set(VARIABLES) <= read
    assert read - set(VARIABLE_MEANINGS) == set()


def test_each_error_and_exit_code_says_what_it_means_and_what_to_do() -> None:
    assert set(DO) == set(errors.__all__)
    assert set(MEANINGS) == set(ExitCode)


def test_an_error_stands_in_the_tree_of_its_module() -> None:
    tree = errors.__doc__ or ""
    assert [name for name in errors.__all__ if name not in tree] == []


def test_every_code_of_the_doctor_says_what_it_means_and_which_command_is_next() -> None:
    folder = DOCS.parent / "src" / "memdir"
    given = {
        call.args[0].value
        for path in [*(folder / "doctor").glob("*.py"), *folder.glob("*/review.py")]
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in {"finding", "Remark", "FileRemark"}
        and isinstance(call.args[0], ast.Constant)
    }
    given |= {code for code, _ in REPORTED.values()} | HINTS.keys()
    assert given == set(CODES)
    assert [code for code, one in CODES.items() if "`memdir " not in one.next] == []


def test_the_commands_that_findings_and_errors_name_exist() -> None:
    texts = [*(one.next for one in CODES.values()), *DO.values()]
    for command in (found for text in texts for found in re.findall(r"`memdir ([^`]*)`", text)):
        words = command.split()
        name = " ".join(words[:2]) if " ".join(words[:2]) in COMMANDS else words[0]
        options = [one for option in COMMANDS[name].params for one in option.opts]
        assert [word for word in words if word.startswith("--") and word not in options] == []


def test_every_key_that_is_written_into_a_record_says_what_it_means_and_no_other() -> None:
    assert {record: set(keys) for record, keys in written_keys().items()} == {
        record: set(meanings) for record, meanings in KEY_MEANINGS.items()
    }


def test_every_file_that_is_written_stands_in_the_layout() -> None:
    design = (DOCS / "design.md").read_text()
    layout = design.partition("## Layout on disk")[2].partition("```\n\n")[0]
    names = [name for file in written_keys()["file"] for name in file.split("/")[1:]]
    assert [name for name in names if name not in layout and name not in {"…", "<name>.md"}] == []


def test_make_docs_writes_the_pages_first() -> None:
    makefile = Path(DOCS.parent / "Makefile").read_text()
    assert "-m scripts.reference\n" in makefile.partition("\ndocs:")[2].partition("zensical build")[0]
