"""Settings from up to five JSON files, merged per key, each with the file it came from.

Ranked: managed, then the project's local file, the project's shared file, the user's file for memdir
(`<config home>/memdir/settings.json`), the user's file of the host. The last two are one layer: memdir's
own wins because whoever wrote there meant memdir. In the host's files our keys stand under "memdir" and
four shared ones at the top level; in memdir's own file all stand at the top level. Where one file gives a
setting both ways, our name wins.

A host waits for this module: it imports late.
"""

import os
from collections.abc import Iterator, Mapping, Sequence

from memdir.config.identity import checkout_root, is_committed
from memdir.config.keys import KEYS, SHARED, Key, Value, Who, accepted_values, fit
from memdir.config.layout import Layout
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.hook_paths import file_signature
from memdir.text.value import field, value_class

__all__ = ["Setting", "Settings", "SettingsFile", "json_object", "load_settings", "settings_files"]

_LARGEST = 1_000_000
"""Bytes of a settings file; real ones are a few kilobytes, and every start reads them all."""
_NAMED = 5
"""Wrong names reported per file; one is enough to look, hundreds would bury the other warnings."""
_SHOWN = 60
"""Characters of a wrong name in a warning."""


@value_class(frozen=True, slots=True)
class Setting:
    """A value and where it comes from."""

    value: Value
    source: str = "default"
    """The path of the file, or "default"."""
    layer: str = "default"
    """managed, local, project, user or default."""


@value_class(frozen=True, slots=True)
class Settings:
    """The value of every setting, and warnings about the files; without arguments, all defaults."""

    found: Mapping[str, tuple[Setting, ...]] = field(default_factory=dict)
    """Per key what the files say, the deciding one first; defaults are not in it."""
    warnings: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    """Those of the warnings that only say what a project may not set: its reader need do nothing."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Each file that was looked at, whether it exists or not, with its signature before it was read."""

    def __getitem__(self, key: str) -> Setting:
        """Return the deciding setting, or the default; a key that is not in the table is a KeyError."""
        return next(iter(self.found.get(key, ())), Setting(KEYS[key].default))

    def flag(self, key: str) -> bool:
        """Return whether it is on; undecided (team.enabled, when no file sets it) counts as off."""
        return bool(self[key].value)

    def number(self, key: str) -> int:
        """Return a whole number that lies in the key's range."""
        value = self[key].value
        if isinstance(value, bool) or not isinstance(value, int):
            raise KeyError(f"{key} is not a number")
        return value

    def text(self, key: str) -> str:
        """Return a string; where the key has choices, one of them."""
        value = self[key].value
        if not isinstance(value, str):
            raise KeyError(f"{key} is not a string")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the strings of all files: lists are joined, so that no file cancels another's."""
        if not isinstance(KEYS[key].default, tuple):
            raise KeyError(f"{key} is not a list")
        lists = [setting.value for setting in self.found.get(key, ()) if isinstance(setting.value, tuple)]
        return tuple(dict.fromkeys([text for one in lists for text in one]))


@value_class(frozen=True, slots=True)
class SettingsFile:
    """One of the files that are looked at, whether it exists or not."""

    layer: str
    path: str
    ours: bool = False


@value_class(frozen=True, slots=True)
class _SettingValue:
    """The value that one file gives to one key, before it is decided whether it counts."""

    key: Key
    name: str
    value: Value
    """None when it is of the wrong type or out of range."""
    file: SettingsFile

    @property
    def is_foreign(self) -> bool:
        """Tell whether a project claims what it may not set."""
        layer = self.file.layer
        if self.key.who is Who.OWNER:
            return layer in ("project", "local")
        if self.key.who is not Who.PROJECT_OFF or self.value is not True:
            return False
        # A local file is a person's own, unless the repository carries it.
        return layer == "project" or (layer == "local" and is_committed(self.file.path))

    def refusal(self, own: str) -> str:
        """Say why this claim does not count and which file it may stand in; empty when it counts."""
        import json

        start, key = f'"{self.name}" in {self.file.path} is ignored:', self.key
        if key.who is Who.OWNER and self.is_foreign:
            # Where memories go is not advised on: a repository may name any folder of its reader.
            adopted = "" if key.name == "autoMemoryDirectory" else f" If you want it, put it into {own}."
            return f"{start} a project may not set it.{adopted}"
        if self.value is None:
            return f"{start} it must be {accepted_values(key)} (default: {json.dumps(key.default)})."
        if self.is_foreign:
            return f"{start} a project may switch it off, not on. If you want it on, put it into {own}."
        return ""


def load_settings(layout: Layout, cwd: str, config_home: str) -> Settings:
    """Read and merge the settings that hold for a project; broken files and values become warnings."""
    found, files = dict[str, tuple[Setting, ...]](), dict[str, str]()
    warnings, declined = list[str](), list[str]()
    own = os.path.join(config_home, "memdir", layout.settings_file)
    for file in settings_files(layout, cwd, config_home):
        files[file.path] = file_signature(file.path)
        content, mistakes = json_object(file.path)
        warnings += mistakes
        for value in _setting_values(file, content, warnings):
            if refusal := value.refusal(own):
                warnings.append(refusal)
                declined += [refusal] if value.is_foreign else []
            else:
                setting = Setting(value.value, file.path, file.layer)
                found[value.key.name] = (*found.get(value.key.name, ()), setting)
    return Settings(found, tuple(warnings), tuple(declined), files)


def settings_files(layout: Layout, cwd: str, config_home: str) -> list[SettingsFile]:
    """Return the files that settings are read from, the highest rank first."""
    project_folder = _project_folder(layout, cwd)
    user = SettingsFile("user", os.path.join(config_home, layout.settings_file))
    ours = SettingsFile("user", os.path.join(config_home, "memdir", layout.settings_file), ours=True)
    managed = SettingsFile("managed", os.path.join(layout.managed_folder, layout.managed_settings_file))
    local = SettingsFile("local", os.path.join(project_folder, layout.local_settings_file))
    project = SettingsFile("project", os.path.join(project_folder, layout.settings_file))
    # In the home directory the project's file is the user's own: it keeps the user's rights and is read once.
    owned = {os.path.realpath(file.path) for file in (managed, ours, user)}
    carried = [file for file in (local, project) if os.path.realpath(file.path) not in owned]
    return [managed, *carried, ours, user]


def _project_folder(layout: Layout, cwd: str) -> str:
    """Return the nearest dot folder with settings, from the working directory up to the checkout."""
    checkout, directory = checkout_root(cwd), os.path.realpath(cwd)
    names = (layout.settings_file, layout.local_settings_file)
    while directory != checkout:
        if any(os.path.exists(os.path.join(directory, layout.dot_folder, name)) for name in names):
            break
        directory = os.path.dirname(directory)
    return os.path.join(directory, layout.dot_folder)


def _setting_values(
    file: SettingsFile, content: Mapping[str, object], mistakes: list[str]
) -> Iterator[_SettingValue]:
    """Yield what a file says about keys we know, our names before the host's; add what is wrong in it."""
    ours = content if file.ours else content.get("memdir", {})
    if not isinstance(ours, Mapping):
        mistakes.append(f'"memdir" in {file.path} is ignored: it must be an object. Put {{ }} around it.')
        ours = {}
    flat = dict[str, object]()
    for name, raw in ours.items():  # {"recall": {"files": 5}} is {"recall.files": 5}
        is_group = isinstance(raw, dict) and name not in KEYS
        flat |= {f"{name}.{inner}": value for inner, value in raw.items()} if is_group else {name: raw}
    if strange := [name for name in flat if name not in KEYS]:
        remark = "{} in {} is not a setting of memdir. Correct or remove it."
        mistakes += [remark.format(name, file.path) for name in _quote_names(strange)]
    named = [(name, name, raw) for name, raw in flat.items() if name in KEYS]
    shared = {} if file.ours else SHARED  # the names that a host has at the top level of its own file
    named += [(key, name, content[name]) for name, key in shared.items() if name in content]
    for key, name, raw in named:
        yield _SettingValue(KEYS[key], name, fit(KEYS[key], raw), file)


def json_object(path: str) -> tuple[Mapping[str, object], Sequence[str]]:
    """Return the object in a file, empty when there is none, and what is wrong: where, and what to do."""
    data = regular_bytes(path, _LARGEST)
    if isinstance(data, Unread):
        return {}, () if data.missing else (
            _ignored_file(path, data.because, "Make it a readable JSON file"),
        )
    import json

    twice: list[str] = []

    def merge_pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
        content: dict[str, object] = {}
        for name, value in pairs:
            if name in content:
                twice.append(name)
            content[name] = value
        return content

    try:
        text = data.decode("utf-8-sig")
        content = json.loads(text, object_pairs_hook=merge_pairs) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        return {}, (
            _ignored_file(path, _error_reason(error, data), "Correct it; the other files still count"),
        )
    if not isinstance(content, dict):
        because = "line 1, column 1: it holds no JSON object"
        return {}, (_ignored_file(path, because, "Put everything into { }"),)
    doubled = _quote_names(twice) if twice else ()
    return content, [f"{name} stands twice in {path}; the last one counts. Remove one." for name in doubled]


def _quote_names(names: list[str]) -> list[str]:
    """Quote the first few names from a file so that each stays one short line whatever it holds."""
    import json

    return [json.dumps(name if len(name) <= _SHOWN else name[:_SHOWN] + "…") for name in names[:_NAMED]]


def _ignored_file(path: str, because: str, mend: str) -> str:
    return f"{path} is ignored: {because}. {mend}."


def _error_reason(error: ValueError | RecursionError, data: bytes) -> str:
    import json

    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg[:1].lower()}{error.msg[1:]}"
    if isinstance(error, UnicodeDecodeError):
        before = data[: error.start]
        column = error.start - before.rfind(b"\n")
        return f"line {before.count(10) + 1}, column {column}: it is not UTF-8"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    # The one ValueError left: Python does not convert numbers of thousands of digits.
    return "it holds a number that is too long to be read"
