"""A value is what a frozen, slotted dataclass is, at a fraction of the price."""

import pickle
from dataclasses import FrozenInstanceError, field, fields, replace
from inspect import signature

import pytest

from memdir.text.value import replace as quick_replace
from memdir.text.value import value_class


@value_class(frozen=True, slots=True)
class Point:
    """A place on paper."""

    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list)

    @property
    def sum(self) -> int:
        """Return both together."""
        return self.x + self.y


def test_it_is_made_by_place_or_by_name_with_defaults() -> None:
    assert (Point(1).x, Point(1).y, Point(1, y=2).sum) == (1, 0, 3)
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]


def test_a_factory_makes_a_new_object_each_time() -> None:
    assert Point(1).tags is not Point(1).tags
    assert Point(1, 2, ["a"]).tags == ["a"]


def test_equal_fields_make_equal_values() -> None:
    assert Point(1, 2) == Point(1, 2)
    assert Point(1, 2) != Point(2, 1)
    other: object = (1, 2, [])
    assert Point(1, 2) != other


def test_it_cannot_be_changed_and_holds_nothing_else() -> None:
    point = Point(1)
    with pytest.raises(FrozenInstanceError, match="x"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del point.x
    assert not hasattr(point, "__dict__")


def test_the_tools_of_dataclasses_work_on_it() -> None:
    assert replace(Point(1, 2), y=5) == Point(1, 5)
    assert quick_replace(Point(1, 2), y=5, x=0) == Point(0, 5)
    with pytest.raises(TypeError):
        quick_replace(Point(1), z=1)  # type: ignore[call-arg]
    assert [one.name for one in fields(Point)] == ["x", "y", "tags"]
    assert pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)  # noqa: S301 - our own bytes


def test_its_arguments_are_known_before_the_first_is_made() -> None:
    @value_class(frozen=True, slots=True)
    class Unused:
        x: int
        y: int = 0

    assert list(signature(Unused).parameters) == ["x", "y"]
    assert Unused(1) == Unused(1, 0)


def test_the_first_instances_are_made_as_all_the_others() -> None:
    @value_class(frozen=True, slots=True)
    class Fresh:
        x: int
        y: int = 0
        tags: list[str] = field(default_factory=list)

    made = [Fresh(1), Fresh(1, tags=["a"]), Fresh(x=1, y=2), Fresh(1, 2, ["b"])]
    assert [(one.x, one.y, one.tags) for one in made] == [
        (1, 0, []),
        (1, 0, ["a"]),
        (1, 2, []),
        (1, 2, ["b"]),
    ]


@pytest.mark.parametrize(
    ("given", "named"), [((), {}), ((1, 2, [], 4), {}), ((1,), {"x": 1}), ((1,), {"z": 1}), ((), {"y": 1})]
)
def test_wrong_arguments_are_refused_from_the_first_on(
    given: tuple[object, ...], named: dict[str, object]
) -> None:
    @value_class(frozen=True, slots=True)
    class Fresh:
        x: int
        y: int = 0
        tags: list[str] = field(default_factory=list)

    for _ in range(4):
        with pytest.raises(TypeError, match="argument"):
            Fresh(*given, **named)  # type: ignore[arg-type]


def test_it_shows_its_fields() -> None:
    assert repr(Point(1, 2)) == "Point(x=1, y=2, tags=[])"
    match Point(3, 4):
        case Point(x, y):
            assert (x, y) == (3, 4)


class Asked(type):
    """Tells the fields of a class only when it is asked, as newer Pythons do."""

    @property
    def __annotations__(cls) -> dict[str, object]:  # type: ignore[override]
        return {"x": int}


def test_fields_are_asked_for_where_the_class_does_not_hold_them() -> None:
    @value_class(frozen=True, slots=True)
    class One(metaclass=Asked): ...

    assert repr(One(1)).endswith("One(x=1)")  # type: ignore[call-arg]


def test_anything_but_a_frozen_value_is_refused() -> None:
    with pytest.raises(TypeError, match="use a dataclass"):
        value_class(frozen=False, slots=True)
