"""What a model is told about its memory: the mechanics, the mechanics with the index, or what the mode asks for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from memdir.core.clip import INDEX_CHARACTERS, INDEX_LINES, Clipped
from memdir.core.kinds import Kind
from memdir.prompt.modes import MODES, ORDER, PRIVATE, Form, Mode
from memdir.prompt.paths import code_span, shell_word
from memdir.prompt.sections import Prose, Section, fields_of, filled, listed

__all__ = [
    "COMPACT_CHARACTERS",
    "LOGS",
    "Form",
    "Guide",
    "Search",
    "dispatched",
    "mechanics",
    "mechanics_and_index",
    "mode_for",
]

COMPACT_CHARACTERS = 2_200
"""What the compact form may take, paths of ordinary length included; a caller's guidelines come on top."""

LOGS = "logs/YYYY/MM/YYYY-MM-DD.md"
"""Where a day's log lies, as a pattern: a prompt with today's date in it would leave the cache at midnight."""


class Search(StrEnum):
    """The tool that the host offers for searching files."""

    GREP = "grep"
    SHELL = "shell"


@dataclass(frozen=True, slots=True)
class Guide:
    """All that the builders know; two equal guides give the same bytes."""

    directory: str
    team_directory: str | None = None
    """Set when team memory is on; it lies below the private directory."""
    on: bool = True
    daily_log: bool = False
    override_named: bool = False
    """Whether an override decided on the directory; the title says so."""
    skip_index: bool = False
    index: Clipped | None = None
    """The healed index; None counts as empty, and in index-free mode as not kept."""
    team_index: Clipped | None = None
    search_past: Search | None = Search.SHELL
    """How past context can be searched; None leaves that section out."""
    transcripts: str = ""
    """The folder with the transcripts of the directory in which the conversation began; may be empty."""
    extra: tuple[str, ...] = ()
    """Guidelines of the environment and of the caller; blank ones are left out."""
    logs: str = LOGS


def mechanics(guide: Guide, mode: Mode = PRIVATE, form: Form = Form.FULL) -> list[Section]:
    """Return how memory works in this mode, without the index."""
    telling = _Telling(guide, mode, form)
    texts = mode.texts[form]
    sections = [_section(name, texts[name], telling) for name in ORDER if name in texts]
    return [section for section in sections if section]


def mechanics_and_index(guide: Guide, mode: Mode = PRIVATE, form: Form = Form.FULL) -> list[Section]:
    """Return how memory works and, last, what the index says, for agents that get the index no other way."""
    telling = _Telling(guide, mode, form)
    shown = [_shown_index(name, telling) for name in mode.indexes]
    return [*mechanics(guide, mode, form), *(section for section in shown if section)]


def dispatched(guide: Guide, form: Form = Form.FULL) -> list[Section]:
    """Return the mechanics of the mode that this guide asks for; nothing when memory is off."""
    return mechanics(guide, mode_for(guide), form)


def mode_for(guide: Guide) -> Mode:
    """Return the first mode whose needs are met: a daily log, then private with team, then private, then none."""
    facts = {"on": guide.on, "daily-log": guide.daily_log, "team": bool(guide.team_directory)}
    met = {name for name, holds in facts.items() if holds}
    return next(mode for mode in MODES if mode.needs <= met)


@dataclass(frozen=True, slots=True)
class _Telling:
    """One prompt in the making: what is known, in which mode and form it is told."""

    guide: Guide
    mode: Mode
    form: Form

    def in_form(self, name: str) -> str:
        """Return the name of this text in the form that is told."""
        return f"compact_{name}" if self.form is Form.COMPACT else name


def _section(name: str, text: str, telling: _Telling) -> Section | None:
    """Return the section with this text, or None if one of its fields has nothing to say."""
    values = {field: _FIELDS[field](telling) for field in fields_of(text)}
    known = {field: value for field, value in values.items() if value is not None}
    return Section(name, filled(text, **known)) if len(known) == len(values) else None


def _shown_index(name: str, telling: _Telling) -> Section | None:
    index: Clipped | None = getattr(telling.guide, name)
    if index is None and telling.guide.skip_index:
        return None
    return _section(name, name if index and index.content.strip() else f"{name}_empty", telling)


def _name(telling: _Telling) -> Prose:
    return filled("name_override" if telling.guide.override_named else "name")


def _team_below(telling: _Telling) -> Prose:
    """Return the team's directory, named from the private one where it can be: long paths are dear."""
    team, private = telling.guide.team_directory or "", telling.guide.directory.rstrip("/") + "/"
    if not team.startswith(private) or not team[len(private) :]:
        return code_span(team)
    return filled("team_below", folder=code_span(team[len(private) :]))


def _kinds(telling: _Telling) -> Prose:
    if telling.form is Form.COMPACT:
        return Prose("\n".join([filled(f"kind_{kind}_compact") for kind in Kind]))
    return Prose("\n\n".join([_kind(kind, audiences=telling.mode.audiences) for kind in Kind]))


def _kind(kind: Kind, *, audiences: bool) -> Prose:
    text = f"kind_{kind}"
    return filled(
        text,
        audience=filled(f"{text}_audience") if audiences else Prose(),
        examples=filled(f"{text}_examples_combined" if audiences else f"{text}_examples"),
    )


def _steps(telling: _Telling) -> Prose:
    return filled(telling.in_form("steps_unindexed" if telling.guide.skip_index else "steps"))


def _index_rule(telling: _Telling) -> Prose:
    rule = telling.in_form(telling.mode.index_rule)
    if not telling.guide.skip_index:
        limits = {"index_lines": Prose(INDEX_LINES), "index_characters": Prose(f"{INDEX_CHARACTERS:,}")}
        return filled(rule, **{field: limits[field] for field in fields_of(rule)})
    return filled(f"{rule}_unindexed")


def _extra(telling: _Telling) -> Prose | None:
    return listed([text for text in telling.guide.extra if text.strip()]) or None


def _searches(telling: _Telling) -> Prose | None:
    if telling.guide.search_past is None:
        return None
    text = telling.in_form(f"search_{telling.guide.search_past}")
    transcripts = Prose()
    if telling.guide.transcripts:
        transcripts = _filled(f"{text}_transcripts", telling)
    return _filled(text, telling, transcripts=transcripts)


def _filled(text: str, telling: _Telling, **known: str) -> Prose: ...
