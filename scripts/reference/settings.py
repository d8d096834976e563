"""docs/settings.md: every setting with its type, range, default and who may set it."""

import json

from scripts.reference.text import beginning, code, table

from memdir.config.keys import KEYS, SHARED, Key, Who, accepted_values

__all__ = ["page"]

_UNBOUNDED = Key("", 0, "").most

_PROJECT = {Who.ANYONE: "yes", Who.PROJECT_OFF: "off only", Who.OWNER: "no"}


def page() -> str:
    """Return the whole page."""
    return f"{beginning('settings.md')}\n" + "\n".join(_section(*part) for part in _sections().items())


def _sections() -> dict[str, list[Key]]:
    """Return the keys by what they are about: the word before the dot."""
    found: dict[str, list[Key]] = {}
    for key in KEYS.values():
        group, dot, _ = key.name.partition(".")
        found.setdefault(group if dot else "memory", []).append(key)
    return found


def _section(group: str, keys: list[Key]) -> str:
    head = ("key", "values", "default", "a project may set it", "what it does")
    return f"## {group.capitalize()}\n\n" + table(head, map(_row, keys))


def _row(key: Key) -> tuple[str, ...]:
    host = [name for name, ours in SHARED.items() if ours == key.name != name]
    what = key.what + "".join(f" The host's own files call it `{name}`." for name in host)
    return code(key.name), _values(key), _default(key), _PROJECT[key.who], what


def _values(key: Key) -> str:
    if key.choices:
        return ", ".join(map(code, key.choices))
    if isinstance(key.default, int) and not isinstance(key.default, bool):
        return f"{key.least} or more" if key.most == _UNBOUNDED else f"{key.least} to {key.most}"
    return accepted_values(key)


def _default(key: Key) -> str:
    return code(json.dumps(key.default) if key.default is not None else "") or "unset"
