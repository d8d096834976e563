"""Figures on pages come from the files that the benchmark commands wrote, never from a keyboard."""

from pathlib import Path

import pytest
from bench.results import PAGES, load


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_page_shows_the_figures_that_were_recorded(page: Path) -> None:
    text = page.read_text("utf-8")
    assert text == PAGES[page](text, load()), "run: python -m bench.results"


def test_every_result_says_when_where_and_how_it_was_measured() -> None:
    for name, row in load().items():
        assert all(row[key] for key in ("measured", "machine", "commit", "command", "figures")), name
