"""Every setting: its name, its default, the values it takes, and who may set it."""

from collections.abc import Mapping
from enum import Enum

from memdir.text.value import value_class

__all__ = ["KEYS", "SHARED", "Key", "Value", "Who", "accepted_values", "fit"]

Value = bool | int | str | tuple[str, ...] | None


class Who(Enum):
    """Whose files may set a key; a repository carries its project file, and can carry a local one."""

    ANYONE = "any settings file"
    PROJECT_OFF = "any settings file, but one that a repository carries only to switch it off"
    OWNER = "managed and user settings only"
    """What aims writes or the network, or guards a person's time, money or files."""


@value_class(frozen=True, slots=True)
class Key:
    """One setting; its default's type is the type of its values."""

    name: str
    default: Value
    who: Who = Who.ANYONE
    least: int = 1
    """Smallest number accepted; 0 is allowed where it means 'none' or 'at once'."""
    most: int = 1_000_000_000
    """Largest number accepted; no time, size or count of ours is ever near this one: a larger is a slip."""
    choices: tuple[str, ...] = ()


def fit(key: Key, raw: object) -> Value:
    """Return the value as this key takes it, or None when it is of the wrong type or out of range."""
    if key.choices and isinstance(raw, bool):
        raw = "on" if raw else "off"
    if isinstance(key.default, tuple):
        texts = [item for item in raw if isinstance(item, str)] if isinstance(raw, list) else []
        return tuple(texts) if isinstance(raw, list) and len(texts) == len(raw) else None
    if isinstance(key.default, str):
        return raw if isinstance(raw, str) and (not key.choices or raw in key.choices) else None
    if isinstance(raw, bool) or _is_switch(key):
        return raw if isinstance(raw, bool) and _is_switch(key) else None
    return raw if isinstance(raw, int) and key.least <= raw <= key.most else None


def accepted_values(key: Key) -> str:
    """Say in words what values the key takes."""
    if key.choices:
        return "one of " + ", ".join(f'"{choice}"' for choice in key.choices)
    if isinstance(key.default, tuple):
        return "a list of strings"
    if isinstance(key.default, str):
        return "a string"
    return "true or false" if _is_switch(key) else f"a whole number from {key.least} to {key.most:,}"


def _is_switch(key: Key) -> bool:
    return key.default is None or isinstance(key.default, bool)


_TABLE = (
    Key("autoMemoryEnabled", True, Who.PROJECT_OFF),
    Key("autoMemoryDirectory", "", Who.OWNER),
    Key("claudeMdExcludes", ()),
    Key("layout", "claude", Who.OWNER, choices=("claude", "agents")),
    Key("model", "", Who.OWNER),
    Key("mode", "private", Who.OWNER, choices=("private", "daily-log")),
    Key("skipIndex", False),
    Key("searchPastContext", True),
    Key("compactPrompt", "auto", choices=("auto", "on", "off")),
    Key("team.enabled", None, Who.PROJECT_OFF),  # None: on once `team init` was run
    Key("extract.enabled", True, Who.PROJECT_OFF),
    Key("extract.everyTurns", 1),
    Key("extract.headless", False, Who.PROJECT_OFF),
    Key("extract.maxTurns", 5, Who.OWNER),
    Key("extract.drainSeconds", 30, Who.OWNER, least=0),
    Key("extract.savePercent", 90, most=100),
    Key("extract.inboxPercent", 45, most=100),
    Key("dream.enabled", True, Who.PROJECT_OFF),
    Key("dream.hours", 24, least=0),
    Key("dream.sessions", 5, least=0),
    Key("dream.scanMinutes", 10, Who.OWNER, least=0),
    Key("dream.staleMinutes", 60, Who.OWNER),
    Key("dream.maxDeletes", 10, Who.OWNER, least=0),
    Key("notes.enabled", False, Who.PROJECT_OFF),
    Key("notes.firstTokens", 30_000),
    Key("notes.everyTokens", 20_000),
    Key("notes.toolCalls", 3, least=0),
    Key("notes.sectionTokens", 2_000),
    Key("notes.fileTokens", 12_000),
    Key("recall.files", 5, least=0, most=5),
    Key("recall.lines", 200),
    Key("recall.bytes", 4_096),
    Key("recall.sessionBytes", 61_440, least=0),
    Key("recall.candidates", 200),
    Key("recall.certainPercent", 34, most=100),
    Key("recall.likelyPercent", 10, most=100),
    Key("recall.budgetMs", 400, Who.OWNER),
    Key("recall.modelBudgetMs", 2_000, Who.OWNER),
    Key("compact.reserveTokens", 13_000, least=0),
    Key("compact.failures", 3),
    Key("worker.maxSeconds", 120, Who.OWNER),
    Key("cost.perDay", 2_000_000, Who.OWNER, least=0),
    Key("cost.perConversation", 400_000, Who.OWNER, least=0),
)

KEYS: Mapping[str, Key] = {key.name: key for key in _TABLE}

SHARED: Mapping[str, str] = {
    "autoMemoryEnabled": "autoMemoryEnabled",
    "autoMemoryDirectory": "autoMemoryDirectory",
    "autoDreamEnabled": "dream.enabled",
    "claudeMdExcludes": "claudeMdExcludes",
}
"""What the host's own files call some of our settings; these stand there at the top level."""
