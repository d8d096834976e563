"""docs/errors.md is what the code says: every error and exit code, each with what to do."""

from scripts.error_page import DO, MEANINGS, PAGE, page

from memdir import errors
from memdir.cli.failure import ExitCode


def test_the_page_is_what_the_code_says() -> None:
    assert PAGE.read_text("utf-8") == page(), "run: python scripts/error_page.py"


def test_each_error_and_exit_code_says_what_it_means_and_what_to_do() -> None:
    assert set(DO) == set(errors.__all__)
    assert set(MEANINGS) == set(ExitCode)


def test_an_error_stands_in_the_tree_of_its_module() -> None:
    tree = errors.__doc__ or ""
    assert [name for name in errors.__all__ if name not in tree] == []
