"""A line that is taken apart means to us what it means to a shell; what only a shell can do is refused."""

import subprocess

from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.config.safe_path import Refused
from memdir.workers.shell_policy import MOST_STAGES, pipeline

LINES = st.lists(st.text(alphabet="ab -=!^]%~#,.:/'\"\\|$`\t", max_size=16), min_size=200, max_size=200)


@given(LINES)
@settings(max_examples=5)
def test_every_line_that_is_taken_has_the_words_that_a_shell_finds(lines: list[str]) -> None:
    taken = [(line, stages) for line in lines if not isinstance(stages := pipeline(line), Refused)]
    plain = [(line, stages[0]) for line, stages in taken if len(stages) == 1]
    # Each line becomes the arguments of a printf; a line with a pipe would run its second half.
    script = "".join(f"printf '%s\\0' begin {line} \n" for line, _ in plain)
    said = subprocess.run(["sh"], input=script.encode(), capture_output=True, check=True).stdout
    expected = [word for _, words in plain for word in ("begin", *words)]
    assert said.decode().split("\0")[:-1] == expected


def test_pipes_divide_and_quotes_do_not() -> None:
    assert pipeline("a b|c 'd | e'  | f\"|\"") == [["a", "b"], ["c", "d | e"], ["f|"]]
    assert pipeline("a ''") == [["a", ""]]
    assert pipeline(" ls ") == [["ls"]]


def test_a_refusal_says_what_to_do() -> None:
    for line, hint in [("ls *.md", "glob"), ("ls > x", "shown anyway"), ("ls $HOME", "single quotes")]:
        verdict = pipeline(line)
        assert isinstance(verdict, Refused)
        assert hint in verdict.because


def test_a_pipe_has_an_end() -> None:
    assert not isinstance(pipeline("|".join(["ls"] * MOST_STAGES)), Refused)
    assert isinstance(pipeline("|".join(["ls"] * (MOST_STAGES + 1))), Refused)
