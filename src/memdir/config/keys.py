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
    what: str
    """One sentence for a reader of the list of settings."""
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
    is_switch = key.default is None or isinstance(key.default, bool)
    if isinstance(raw, bool) or is_switch:
        return raw if isinstance(raw, bool) and is_switch else None
    return raw if isinstance(raw, int) and key.least <= raw <= key.most else None


def accepted_values(key: Key) -> str:
    """Say in words what values the key takes."""
    if key.choices:
        return "one of " + ", ".join(f'"{choice}"' for choice in key.choices)
    if isinstance(key.default, tuple):
        return "a list of strings"
    if isinstance(key.default, str):
        return "a string"
    is_switch = key.default is None or isinstance(key.default, bool)
    return "true or false" if is_switch else f"a whole number from {key.least} to {key.most:,}"


_TABLE = (
    Key("autoMemoryEnabled", True, "Whether memory is on.", Who.PROJECT_OFF),
    Key("autoMemoryDirectory", "", "The memory directory, in place of the project's own.", Who.OWNER),
    Key(
        "claudeMdExcludes",
        (),
        "Globs on absolute paths of instruction files to leave out; all lists are joined.",
    ),
    Key("layout", "claude", "The names of files and folders.", Who.OWNER, choices=("claude", "agents")),
    Key("model", "", "The language model to ask, as `memdir models` explains; empty: none.", Who.OWNER),
    Key(
        "mode",
        "private",
        "`daily-log`: a log a day that dreams distil, in place of an index.",
        Who.OWNER,
        choices=("private", "daily-log"),
    ),
    Key("skipIndex", False, "Keep no index: memories are found by scanning."),
    Key("searchPastContext", True, "Tell the model how to search past conversations."),
    Key(
        "compactPrompt",
        "auto",
        "Explain memory to a model in short; `auto`: where the host explains it too.",
        choices=("auto", "on", "off"),
    ),
    Key(
        "team.enabled", None, "Team memory; unset, it is on once `memdir team init` was run.", Who.PROJECT_OFF
    ),
    Key("extract.enabled", True, "Write memories out of conversations.", Who.PROJECT_OFF),
    Key("extract.everyTurns", 1, "Turns of a conversation between two extractions."),
    Key("extract.headless", False, "Also from conversations without a person.", Who.PROJECT_OFF),
    Key("extract.maxTurns", 5, "Turns of its own that a model may take to extract.", Who.OWNER),
    Key(
        "extract.drainSeconds",
        30,
        "Seconds that extraction may go on after a conversation.",
        Who.OWNER,
        least=0,
    ),
    Key("extract.savePercent", 93, "Without a model: how surely worth keeping to be saved.", most=100),
    Key(
        "extract.inboxPercent",
        45,
        "Without a model: how surely worth keeping to wait in the inbox.",
        most=100,
    ),
    Key("dream.enabled", True, "Consolidate memories now and then.", Who.PROJECT_OFF),
    Key("dream.hours", 24, "Hours between two dreams.", least=0),
    Key("dream.sessions", 5, "Conversations between two dreams.", least=0),
    Key("dream.scanMinutes", 10, "Minutes between two looks whether a dream is due.", Who.OWNER, least=0),
    Key("dream.staleMinutes", 60, "Minutes until a dream's lock counts as left behind.", Who.OWNER),
    Key("dream.maxDeletes", 10, "Memories that one dream may remove.", Who.OWNER, least=0),
    Key("notes.enabled", False, "Keep notes of a conversation that survive its compaction.", Who.PROJECT_OFF),
    Key("notes.firstTokens", 30_000, "Tokens of a conversation before its first notes."),
    Key("notes.everyTokens", 20_000, "Tokens between two updates of the notes."),
    Key("notes.toolCalls", 3, "Tool calls between two updates of the notes.", least=0),
    Key("notes.sectionTokens", 2_000, "Length of one section of the notes."),
    Key("notes.fileTokens", 12_000, "Length of all notes of a conversation."),
    Key("recall.files", 5, "Memories that one turn may receive.", least=0, most=5),
    Key("recall.lines", 200, "Lines of each memory that is shown."),
    Key("recall.bytes", 4_096, "Bytes of each memory that is shown."),
    Key("recall.sessionBytes", 61_440, "Bytes of memory that one conversation may receive.", least=0),
    Key("recall.candidates", 200, "Headers that a model chooses from."),
    Key("recall.certainPercent", 31, "Probability from which a memory is shown in full.", most=100),
    Key("recall.likelyPercent", 10, "Probability from which a memory is named in one line.", most=100),
    Key("recall.budgetMs", 400, "Milliseconds that a prompt may wait, ranking included.", Who.OWNER),
    Key("recall.modelBudgetMs", 2_000, "Milliseconds for a model's choice of memories.", Who.OWNER),
    Key(
        "compact.reserveTokens",
        13_000,
        "Tokens that `memory.context.compaction` keeps free in the window.",
        least=0,
    ),
    Key("compact.failures", 3, "Failures in a row until `memory.context.compaction` says no."),
    Key("worker.maxSeconds", 120, "Seconds that a background worker may live.", Who.OWNER),
    Key(
        "cost.perDay",
        2_000_000,
        "Tokens that models may use a day (UTC); 0: none is asked.",
        Who.OWNER,
        least=0,
    ),
    Key(
        "cost.perConversation",
        400_000,
        "Tokens that models may use for one conversation.",
        Who.OWNER,
        least=0,
    ),
)

KEYS: Mapping[str, Key] = {key.name: key for key in _TABLE}

SHARED: Mapping[str, str] = {
    "autoMemoryEnabled": "autoMemoryEnabled",
    "autoMemoryDirectory": "autoMemoryDirectory",
    "autoDreamEnabled": "dream.enabled",
    "claudeMdExcludes": "claudeMdExcludes",
}
"""What the host's own files call some of our settings; these stand there at the top level."""
