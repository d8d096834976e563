"""What `--json` prints of a value is named by its fields, also those of what it holds."""

from memdir.cli.report import fields
from memdir.memories.change import Change
from memdir.text.value import value_class


@value_class(frozen=True, slots=True)
class Step:
    """A change, and what came with it."""

    verb: str
    main: Change
    others: tuple[Change, ...] = ()


STEP = Step("edit", Change("a.md", None, "A"), (Change("b.md", "B", None),))


def test_without_names_all_fields_are_given() -> None:
    assert fields(STEP) == {"verb": "edit", "main": STEP.main, "others": STEP.others}


def test_a_field_of_a_field_is_called_by_its_last_name_or_another() -> None:
    assert fields(STEP, "main.file text=main.after") == {"file": "a.md", "text": "A"}


def test_in_brackets_stand_the_fields_of_each_item() -> None:
    assert fields(STEP, "verb others[file was=before]") == {
        "verb": "edit",
        "others": [{"file": "b.md", "was": "B"}],
    }
