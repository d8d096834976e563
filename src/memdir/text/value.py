"""Immutable values with slots: what a frozen, slotted dataclass is, made in an eighth of the time.

A process that answers one question defines some sixty of them first, and has milliseconds for it. The usual
decorator compiles six methods for each and imports half of the introspection library; here only `__init__` is
compiled, when it pays, and the others are shared. Type checkers see the standard decorator, and the
standard tools work; `field` and `replace` stand in for two of them, whose module takes long to load.

A host waits for this module: it imports late and does without `typing`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as value_class
    from dataclasses import field, replace
    from typing import Any
else:

    def value_class(*, frozen: bool, slots: bool) -> "Callable[[type], type]":
        """Make a class a value; both arguments must be true, they are there to be read."""
        if not (frozen and slots):
            raise TypeError("a value is frozen and has slots; use a dataclass for anything else")
        return _make_class

    class field:  # noqa: N801 - the name of the function it stands in for
        """Declare that each instance gets an object of its own."""

        def __init__(self, *, default_factory: "Callable[[], object]") -> None:
            self.default_factory = default_factory

    def replace(one: "Any", **changes: object) -> "Any":
        """Return a value with some of its fields changed."""
        return one.__class__(**{name: getattr(one, name) for name in one.__match_args__} | changes)


__all__ = ["field", "replace", "value_class"]


_BY_HAND = 2
"""Instances that are filled field by field; for more it pays to compile."""


def _make_class(cls: type) -> type:
    """Return the class anew with slots for its fields and a constructor that takes them."""
    inside = dict(cls.__dict__)
    names = tuple(cls.__annotations__)  # which newer Pythons make when they are asked
    defaults = {name: inside.pop(name) for name in names if name in inside}
    for gone in ("__dict__", "__weakref__"):
        inside.pop(gone, None)
    own = {"__slots__": names, "__match_args__": names}
    made: type = type(cls)(cls.__name__, cls.__bases__, {**_SHARED, **inside, **own})
    type.__setattr__(made, "__init__", _Late(made, names, defaults))
    return made


class _Late:
    """Stands for an `__init__` until it pays to compile it: most classes are used once, or never."""

    def __init__(self, made: "Any", names: tuple[str, ...], defaults: dict[str, object]) -> None:
        self.made, self.names, self.defaults = made, names, defaults
        self.used = 0

    def __get__(self, one: object, owner: type) -> "Any":
        self.used += 1
        if self.used <= _BY_HAND and isinstance(one, self.made):  # not so for whoever only asks what it takes
            return lambda *given, **named: self.fill(one, given, named)
        self.made.__init__ = constructor = _constructor(self.made, self.names, self.defaults)
        return constructor if one is None else constructor.__get__(one, owner)

    def fill(self, one: object, given: tuple[object, ...], named: dict[str, object]) -> None:
        """Fill the slots of one instance; of wrong arguments the compiled one says what is wrong."""
        known = dict(zip(self.names, given, strict=False)) | named
        values = self.defaults | known
        if len(known) != len(given) + len(named) or values.keys() != {*self.names}:
            _constructor(self.made, self.names, self.defaults)(one, *given, **named)
        for name in self.names:
            value = values[name]
            makes = None if name in known else getattr(value, "default_factory", None)
            object.__setattr__(one, name, makes() if callable(makes) else value)


def _constructor(made: type, names: tuple[str, ...], defaults: dict[str, object]) -> "Any":
    """Return an `__init__` that fills the slots directly, which assigning is refused to do."""
    puts = {f"_put_{name}": getattr(made, name).__set__ for name in names}
    given = [f"{name}=_of_{name}" if name in defaults else name for name in names]
    lines = list[str]()
    for name in names:  # a field is its argument, or a new object where a factory was declared
        makes = callable(getattr(defaults.get(name), "default_factory", None))
        value = f"{name}.default_factory() if {name} is _of_{name} else {name}" if makes else name
        lines.append(f" _put_{name}(self, {value})")
    scope = {**puts, **{f"_of_{name}": default for name, default in defaults.items()}}
    # Compiled from the names of fields that stand in our own source, as the standard decorator does it.
    exec(f"def __init__(self, {', '.join(given)}):\n" + "\n".join(lines or [" pass"]), scope)  # noqa: S102
    return scope["__init__"]


def _values(one: "Any") -> "tuple[Any, ...]":
    return tuple([getattr(one, name) for name in one.__match_args__])


def _equal(self: "Any", other: "Any") -> bool:
    if other.__class__ is not self.__class__:
        return NotImplemented  # type: ignore[no-any-return]  # as every comparison may
    names = self.__match_args__
    return [getattr(self, name) for name in names] == [getattr(other, name) for name in names]


def _hash(self: "Any") -> int:
    return hash(tuple([getattr(self, name) for name in self.__match_args__]))


def _repr(self: "Any") -> str:
    fields = [f"{name}={getattr(self, name)!r}" for name in self.__match_args__]
    return f"{self.__class__.__qualname__}({', '.join(fields)})"


def _refuse(_: object, name: str, *__: object) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _restore(self: "Any", state: "tuple[Any, ...]") -> None:
    for name, one in zip(self.__match_args__, state, strict=True):
        object.__setattr__(self, name, one)


class _Fields:
    """Lets `dataclasses.replace` and `dataclasses.fields` work; built when they first ask."""

    def __get__(self, _: object, owner: "Any") -> "dict[str, Any]":
        import dataclasses

        known: dict[str, Any] = {}
        for name in owner.__match_args__:
            known[name] = one = dataclasses.field()
            one.name, one.type = name, owner.__annotations__[name]
            one._field_type = dataclasses._FIELD  # type: ignore[attr-defined]  # noqa: SLF001 - no public way
        return known


_SHARED = {
    "__eq__": _equal,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__getstate__": _values,
    "__setstate__": _restore,
    "__dataclass_fields__": _Fields(),
}
