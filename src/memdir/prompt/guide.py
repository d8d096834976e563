"""What a model is told about its memory: the mechanics, those with the index, or what the mode asks for."""

import re
from collections.abc import Callable, Mapping
from enum import StrEnum

from memdir.memories.topic import Kind
from memdir.prompt.modes import MODES, ORDER, PRIVATE, Form, Mode
from memdir.prompt.templates import PromptSection, bullet_list, code_span, fields_of, filled, shell_word, text
from memdir.text.clip import INDEX_CHARACTERS, INDEX_LINES, Clipped
from memdir.text.templates import Prose
from memdir.text.value import value_class

__all__ = [
    "COMPACT_CHARACTERS",
    "LOGS",
    "Form",
    "Guide",
    "Reader",
    "Search",
    "additions",
    "mechanics",
    "mechanics_and_index",
    "mechanics_of_mode",
    "mode_for",
]

COMPACT_CHARACTERS = 2_200
"""What the compact form may take, index and a caller's guidelines apart: about 550 tokens."""

LOGS = "logs/YYYY/MM/YYYY-MM-DD.md"
"""A day's log, as a pattern: with today's date in it a prompt would leave the cache at midnight."""


class Search(StrEnum):
    """The tool that the host offers for searching files."""

    GREP = "grep"
    SHELL = "shell"


@value_class(frozen=True, slots=True)
class Reader:
    """The agent that a prompt is for, as far as the prompt depends on it."""

    explained: bool = False
    """Whether it needs no examples, because its host explains memory too or its model is strong."""
    tools: tuple[str, ...] = ()
    """The names of its tools, as far as they are known."""
    guidelines: tuple[str, ...] = ()
    """What it is told about its memory besides."""

    @property
    def form(self) -> Form:
        """Return the form of prompt that fits it."""
        return Form.COMPACT if self.explained else Form.FULL

    @property
    def search(self) -> Search:
        """Return how it searches files: with its grep tool if it has one, else in a shell."""
        return Search.GREP if any(_GREP.search(name.lower()) for name in self.tools) else Search.SHELL


_GREP = re.compile(r"(?:^|[^a-z])(?:rip)?grep(?:$|[^a-z])")


@value_class(frozen=True, slots=True)
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


def mechanics(guide: Guide, mode: Mode = PRIVATE, form: Form = Form.FULL) -> list[PromptSection]:
    """Return how memory works in this mode, without the index."""
    telling = _Telling(guide, mode, form)
    texts = mode.texts[form]
    told = [_section(name, texts[name], telling) for name in ORDER if name in texts]
    sections = [section for section in told if section]
    return _within_limit(sections) if form is Form.COMPACT else sections


def mechanics_and_index(guide: Guide, mode: Mode = PRIVATE, form: Form = Form.FULL) -> list[PromptSection]:
    """Return how memory works and, last, what the index says, for agents that get the index no other way."""
    telling = _Telling(guide, mode, form)
    shown = [_shown_index(name, telling) for name in mode.indexes]
    return [*mechanics(guide, mode, form), *(section for section in shown if section)]


def mechanics_of_mode(guide: Guide, form: Form = Form.FULL) -> list[PromptSection]:
    """Return the mechanics of the mode that this guide asks for; nothing when memory is off."""
    return mechanics(guide, mode_for(guide), form)


def additions(guide: Guide) -> list[PromptSection]:
    """Return what the mode adds for a host that explains memory itself: what that host cannot know."""
    mode = mode_for(guide)
    telling = _Telling(guide, mode, Form.COMPACT)
    told = [_section(name, source, telling) for name, source in mode.additions.items()]
    told += [_shown_index(name, telling) for name in mode.indexes if name != "index"]  # which the host loads
    return [section for section in told if section]


def mode_for(guide: Guide) -> Mode:
    """Return the first mode whose needs are met: daily log, private with team, private, none."""
    facts = {"on": guide.on, "daily-log": guide.daily_log, "team": bool(guide.team_directory)}
    met = {name for name, holds in facts.items() if holds}
    return next(mode for mode in MODES if mode.needs <= met)


@value_class(frozen=True, slots=True)
class _Telling:
    """One prompt in the making: what is known, in which mode and form it is told."""

    guide: Guide
    mode: Mode
    form: Form

    def in_form(self, name: str) -> str:
        """Return the name of this text in the form that is told."""
        return f"compact_{name}" if self.form is Form.COMPACT else name


def _within_limit(sections: list[PromptSection]) -> list[PromptSection]:
    """Return the sections, without searching past context if long paths leave no room for it."""
    own = text([section for section in sections if section.name != "extra"])
    return [s for s in sections if s.name != "past_context" or len(own) <= COMPACT_CHARACTERS]


def _section(name: str, source: str, telling: _Telling) -> PromptSection | None:
    words = _fill_text(source, telling)
    return PromptSection(name, words) if words else None


def _fill_text(source: str, telling: _Telling) -> Prose | None:
    """Return the text of this name with its fields filled, or None if one of them has nothing to say."""
    values = {field: _FIELDS[field](telling) for field in sorted(fields_of(source))}
    known = {field: value for field, value in values.items() if value is not None}
    return filled(source, **known) if len(known) == len(values) else None


def _shown_index(name: str, telling: _Telling) -> PromptSection | None:
    index = _INDEXES[name](telling.guide)
    if index is None and telling.guide.skip_index:
        return None
    return _section(name, name if index and index.content.strip() else f"{name}_empty", telling)


def _team_below(telling: _Telling) -> Prose:
    """Return the team's directory, named from the private one where it can be: long paths are dear."""
    team, private = telling.guide.team_directory or "", telling.guide.directory.rstrip("/") + "/"
    folder = team.removeprefix(private)
    return filled("team_below", folder=code_span(folder)) if folder not in ("", team) else code_span(team)


def _transcripts_near(telling: _Telling) -> Prose:
    above = telling.guide.directory.rstrip("/").rpartition("/")[0]
    if above and above == telling.guide.transcripts.rstrip("/"):
        return filled("transcripts_above")
    return code_span(telling.guide.transcripts)


def _kinds(telling: _Telling) -> Prose:
    if telling.form is Form.COMPACT:
        ending = "compact_combined" if telling.mode.audiences else "compact"
        return Prose("\n".join([filled(f"kind_{kind}_{ending}") for kind in Kind]))
    return Prose("\n\n".join([_kind(f"kind_{kind}", audiences=telling.mode.audiences) for kind in Kind]))


def _kind(source: str, *, audiences: bool) -> Prose:
    if not audiences:
        return filled(source, audience=Prose(), examples=filled(f"{source}_examples"))
    audience, examples = filled(f"{source}_audience"), filled(f"{source}_examples_combined")
    return filled(source, audience=audience, examples=examples)


def _steps(telling: _Telling) -> Prose:
    return filled(telling.in_form("steps_unindexed" if telling.guide.skip_index else "steps"))


def _index_rule(telling: _Telling) -> Prose | None:
    mode = telling.mode
    rule = mode.unindexed_rule if telling.guide.skip_index else mode.index_rule
    return _fill_text(telling.in_form(rule), telling) if rule else Prose()


def _unindexed_directory(telling: _Telling) -> Prose | None:
    return code_span(telling.guide.directory) if telling.guide.skip_index else None


def _extra(telling: _Telling) -> Prose | None:
    return bullet_list([guideline for guideline in telling.guide.extra if guideline.strip()]) or None


def _searches(telling: _Telling) -> Prose | None:
    tool = telling.guide.search_past
    return _fill_text(telling.in_form(f"search_{tool}"), telling) if tool else None


def _transcripts(telling: _Telling) -> Prose | None:
    if not telling.guide.transcripts:
        return Prose()
    return _fill_text(telling.in_form(f"search_{telling.guide.search_past}_transcripts"), telling)


_INDEXES: Mapping[str, Callable[[Guide], Clipped | None]] = {
    "index": lambda guide: guide.index,
    "team_index": lambda guide: guide.team_index,
}

_FIELDS: Mapping[str, Callable[[_Telling], str | None]] = {
    "name": lambda telling: filled("name_override" if telling.guide.override_named else "name"),
    "directory": lambda telling: code_span(telling.guide.directory),
    "unindexed_directory": _unindexed_directory,
    "directory_word": lambda telling: shell_word(telling.guide.directory),
    "team_directory": lambda telling: code_span(telling.guide.team_directory or ""),
    "team_below": _team_below,
    "logs": lambda telling: code_span(telling.guide.logs),
    "kinds": _kinds,
    "secrets": lambda telling: filled(telling.mode.secrets),
    "steps": _steps,
    "index_rule": _index_rule,
    "index_lines": lambda _: Prose(INDEX_LINES),
    "index_characters": lambda _: Prose(f"{INDEX_CHARACTERS:,}"),
    "extra": _extra,
    "searches": _searches,
    "transcripts": _transcripts,
    "transcripts_path": lambda telling: code_span(telling.guide.transcripts),
    "transcripts_near": _transcripts_near,
    "transcripts_word": lambda telling: shell_word(telling.guide.transcripts),
    "index": lambda telling: telling.guide.index.content if telling.guide.index else None,
    "team_index": lambda telling: telling.guide.team_index.content if telling.guide.team_index else None,
}
"""What fills a field of a text, by its name; None means that the text has nothing to say."""
