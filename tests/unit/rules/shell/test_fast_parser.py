"""A plain text is shown to a witness as the whole shell shows it; any other is left to the whole shell."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.rules.shell.fast_parser import LEFT, PRINTS, SILENT, pipelines_in, rehearsed
from memdir.rules.shell.interpreter import rehearse
from memdir.rules.shell.invocation import Invocation
from memdir.rules.shell.programs import PROGRAMS

FIXTURES = Path(__file__).parents[3] / "fixtures" / "enforce"
COMMANDS = [
    row["input"]["command"]
    for name in ("forbidden", "second_forbidden", "innocent", "second_innocent")
    for row in json.loads((FIXTURES / f"{name}.json").read_text())
    if isinstance(row["input"].get("command"), str)
]
SIGNS = (
    r"""; & && | || |& ;; 2>&1 >x > 2> >>'y z' &> 1>> <x 3> ' " \ $ $x ` ( ) { } # ! = += ~ * [ [[ ]] ''"""
)
WORDS = """
a go 2 A=1 A='b' a=( 'c' "d" '$x' '{a,b}' é -x -c -- ./x x /bin/SH.exe cd pushd ~ - /b echo cat true test set
export git branch rebase sudo env command -v bash eval docker exec run xargs tee find read alias
if then fi do done time -p function for in case esac coproc
make -f Makefile -fx --eval=x cp ln -s hash hub alias.x=go config
alias.x x/git vim -c !go sed tar -I GIT_CONFIG_KEY_0=a
"""
PIECES = st.sampled_from(
    [*SIGNS.split(), *WORDS.split(), *" \t\n\r\0", *["  ", "\x0b", "\u2028", '"a b"', " 2>&1 "]]
)


def witnessed(text: str, *, plainly: bool) -> object:
    """Return everything that a witness sees and what is left behind; None when the text is not plain."""
    seen = list[Invocation]()

    def witness(one: Invocation) -> str | None:
        seen.append(one)
        return "topic" if one.words[:2] == ("git", "branch") else None

    outcome = (rehearsed if plainly else rehearse)(text, "/here", witness, "/home")
    return (seen, outcome) if outcome is not None else (seen or None)


@given(st.lists(PIECES, max_size=12).map("".join) | st.lists(PIECES, max_size=8).map(" ".join))
def test_whatever_is_read_plainly_the_whole_shell_reads_in_the_same_way(text: str) -> None:
    assert witnessed(text, plainly=True) in (None, witnessed(text, plainly=False))


def test_the_calls_of_the_corpora_are_read_in_the_same_way_and_most_of_them_plainly() -> None:
    plain = [command for command in COMMANDS if witnessed(command, plainly=True) is not None]
    assert [witnessed(one, plainly=True) for one in plain] == [witnessed(one, plainly=False) for one in plain]
    assert len(plain) > len(COMMANDS) / 2


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("", []),
        ("a b && c; d || e & f\ng", [["a", "b"], ["c"], ["d"], ["e"], ["f"], ["g"]]),
        ("a 2>&1 | b 2>&1", [["a"], ["b"]]),
        ("A=1 B='x y' a C=2", [["a", "C=2"]]),
        ("a'b'\"c\"d '' \"it's\" 'say \"x\"' '$(y)'", [["abcd", "", "it's", 'say "x"', "$(y)"]]),
        ("a#b * ~/c d=e }", [["a#b", "*", "~/c", "d=e", "}"]]),
        ("a > b 2>>'c d' e; f &>/g", [["a", "e"], ["f"]]),
    ],
)
def test_plain_words_are_what_is_written(text: str, commands: list[list[str]]) -> None:
    assert [words for stages in pipelines_in(text) or () for words, _ in stages] == commands


def test_the_files_that_commands_print_into_are_told() -> None:
    outcome = rehearsed("a > b 2>>'c d'; cd /e && f &> g | h 2>/dev/null; > i a", "/here", lambda _: None)
    assert outcome is not None
    assert outcome.written == ("/here/b", "/here/c d", "/e/g", "/dev/null", "/e/i")


UNPLAIN = r"""
a $b; a `b`; a "$b"; a "`b`"; a "\b"; a\ b; a >; a > $b; a >& b; > b; 2&>b; a < b; a <<b; a 3>&1; a2>&1
a 2>&1b; (a); a() { b; }; a {b,c}; a 'b; a "b; a # b; #a; | a; a | | b; a |; a |& b
if a; ! a; time a; [[ a; then a; } a
"""


UNPLAIN_TEXTS = [
    *[one for line in UNPLAIN.split("\n") for one in line.split("; ") if one],
    "a\0b",
    "a\r",
    "a " * 20_000,
]


def test_what_is_not_plain_beyond_doubt_is_not_read() -> None:
    wrong = [(text, found) for text in UNPLAIN_TEXTS if (found := pipelines_in(text)) is not None]
    assert not wrong, str(wrong)


RUNNERS = [
    "bash -c 'go'",
    "sudo sh -c go",
    "sudo",
    "echo go | sh",
    "cat a | b",
    "a | tee b",
    "a > b; ./b",
    "git rebase -x go",
    "eval go",
    "echo x > Makefile; make",
    "make -sf x",
    "make --eval=x:;go",
    "cp /bin/go g; ./g",
    "ln -s /bin/go /x/g && g",
    "hash -p /bin/go g; g",
    "echo x > a; cp a Makefile; make",
    "git config alias.x 'go'",
    "git -c ALIAS.x=y x",
    "GIT_CONFIG_KEY_0=alias.x git x",
    "tar -I go -xf x",
    "wsl",
]


def test_what_runs_other_commands_is_left_and_nothing_of_it_is_shown() -> None:
    wrong = [
        (text, found) for text in RUNNERS if (found := witnessed(f"first; {text}", plainly=True)) is not None
    ]
    assert not wrong, str(wrong)


@pytest.mark.parametrize(
    "text",
    [
        "make -j4 test > log",
        "cp a b && c d",
        "git config user.name x",
        "ln -s a b; make",
        "sed -i 's/a/b/' c",
        "sudo -u x env A=1 timeout 5 go build",
        "python3 -m pytest -q",
        "command cd x; a",
    ],
)
def test_what_only_looks_like_it_is_read_plainly(text: str) -> None:
    assert witnessed(text, plainly=True) is not None


def test_every_program_that_the_whole_shell_knows_has_its_place() -> None:
    assert sorted([*SILENT, *PRINTS, *LEFT]) == sorted(PROGRAMS)
