"""Each kind of claim is judged as a person would, with anchors and without."""

from pathlib import Path

import pytest
from bench.verify.forms_histories import FORMS_HISTORIES
from bench.verify.forms_memories import FORMS_CASES
from bench.verify.literal_cases import LITERAL_CASES, LITERAL_HISTORIES
from bench.verify.prose_cases import ANCHORED_CASES, PROSE_CASES, PROSE_HISTORIES
from bench.verify.report import outcomes, table


@pytest.mark.parametrize("anchored", [False, True])
def test_every_memory_is_judged_as_a_person_would(tmp_path: Path, *, anchored: bool) -> None:
    found = outcomes(FORMS_HISTORIES, FORMS_CASES, tmp_path, anchored=anchored)
    assert all(one.exact for one in found), "\n".join(table(found))


@pytest.mark.parametrize("anchored", [False, True])
def test_what_files_hold_word_for_word_is_missed_when_it_went(tmp_path: Path, *, anchored: bool) -> None:
    found = outcomes(LITERAL_HISTORIES, LITERAL_CASES, tmp_path, anchored=anchored)
    assert all(one.exact for one in found), "\n".join(table(found))


@pytest.mark.parametrize("anchored", [False, True])
def test_ports_images_branches_and_commands_in_prose_are_checked(tmp_path: Path, *, anchored: bool) -> None:
    cases = PROSE_CASES + (ANCHORED_CASES if anchored else ())
    found = outcomes(PROSE_HISTORIES, cases, tmp_path, anchored=anchored)
    assert all(one.exact for one in found), "\n".join(table(found))
