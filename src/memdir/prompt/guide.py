"""What a model is told about its memory: the mechanics, those with the index, or what the mode asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum

from memdir.memories.topic import Kind
from memdir.prompt.modes import MODES, ORDER, Form, Mode
from memdir.prompt.templates import PromptSection, bullet_list, code_span, fields_of, filled, shell_word, text
from memdir.text.clip import INDEX_CHARACTERS, INDEX_LINES, Clipped
from memdir.text.templates import Prose
from memdir.text.value import value_class

__all__ = [
    "COMPACT_CHARACTERS",
    "Form",
    "Guide",
    "Reader",
    "Search",
    "additions",
    "mechanics",
    "mechanics_and_index",
    "mode_for",
]

COMPACT_CHARACTERS = 2_200
"""What the compact form may take, index and a caller's guidelines apart: about 550 tokens."""

_LOGS = "logs/YYYY/MM/YYYY-MM-DD.md"
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


def mechanics(guide: Guide, mode: Mode | None = None, form: Form = Form.FULL) -> list[PromptSection]:
    """Return how memory works, in the mode that the guide asks for or in another, without the index."""
    mode = mode or mode_for(guide)
    scope = _PromptScope(guide, mode, form)
    texts = mode.texts[form]
    found = [_section(name, texts[name], scope) for name in ORDER if name in texts]
    sections = [section for section in found if section]
    return _within_limit(sections) if form is Form.COMPACT else sections


def mechanics_and_index(
    guide: Guide, mode: Mode | None = None, form: Form = Form.FULL
) -> list[PromptSection]:
    """Return how memory works and, last, what the index says, for agents that get the index no other way."""
    mode = mode or mode_for(guide)
    scope = _PromptScope(guide, mode, form)
    shown = [_shown_index(name, scope) for name in mode.indexes]
    return [*mechanics(guide, mode, form), *(section for section in shown if section)]


def additions(guide: Guide) -> list[PromptSection]:
    """Return what the mode adds for a host that explains memory itself: what that host cannot know."""
    mode = mode_for(guide)
    scope = _PromptScope(guide, mode, Form.COMPACT)
    found = [_section(name, source, scope) for name, source in mode.additions.items()]
    found += [_shown_index(name, scope) for name in mode.indexes if name != "index"]  # which the host loads
    return [section for section in found if section]


def mode_for(guide: Guide) -> Mode:
    """Return the first mode whose needs are met: daily log, private with team, private, none."""
    facts = {"on": guide.on, "daily-log": guide.daily_log, "team": bool(guide.team_directory)}
    met = {name for name, holds in facts.items() if holds}
    return next(mode for mode in MODES if mode.needs <= met)


@value_class(frozen=True, slots=True)
class _PromptScope:
    """What one prompt depends on: what is known, the mode and the form."""

    guide: Guide
    mode: Mode
    form: Form

    def in_form(self, name: str) -> str:
        """Return the name of this text in this form."""
        return f"compact_{name}" if self.form is Form.COMPACT else name


def _within_limit(sections: list[PromptSection]) -> list[PromptSection]:
    """Return the sections, without searching past context if long paths leave no room for it."""
    own = text([section for section in sections if section.name != "extra"])
    return [s for s in sections if s.name != "past_context" or len(own) <= COMPACT_CHARACTERS]


def _section(name: str, source: str, scope: _PromptScope) -> PromptSection | None:
    words = _fill_text(source, scope)
    return PromptSection(name, words) if words else None


def _fill_text(source: str, scope: _PromptScope) -> Prose | None:
    """Return the text of this name with its fields filled, or None if one of them has nothing to say."""
    values = {field: _FIELDS[field](scope) for field in sorted(fields_of(source))}
    known = {field: value for field, value in values.items() if value is not None}
    return filled(source, **known) if len(known) == len(values) else None


def _shown_index(name: str, scope: _PromptScope) -> PromptSection | None:
    index = _INDEXES[name](scope.guide)
    if index is None and scope.guide.skip_index:
        return None
    return _section(name, name if index and index.content.strip() else f"{name}_empty", scope)


def _team_below(scope: _PromptScope) -> Prose:
    """Return the team's directory, named from the private one where it can be: long paths are dear."""
    team, private = scope.guide.team_directory or "", scope.guide.directory.rstrip("/") + "/"
    folder = team.removeprefix(private)
    return filled("team_below", folder=code_span(folder)) if folder not in ("", team) else code_span(team)


def _transcripts_near(scope: _PromptScope) -> Prose:
    above = scope.guide.directory.rstrip("/").rpartition("/")[0]
    if above and above == scope.guide.transcripts.rstrip("/"):
        return filled("transcripts_above")
    return code_span(scope.guide.transcripts)


def _kinds(scope: _PromptScope) -> Prose:
    if scope.form is Form.COMPACT:
        ending = "compact_combined" if scope.mode.audiences else "compact"
        return Prose("\n".join([filled(f"kind_{kind}_{ending}") for kind in Kind]))
    return Prose("\n\n".join([_kind(f"kind_{kind}", audiences=scope.mode.audiences) for kind in Kind]))


def _kind(source: str, *, audiences: bool) -> Prose:
    if not audiences:
        return filled(source, audience=Prose(), examples=filled(f"{source}_examples"))
    audience, examples = filled(f"{source}_audience"), filled(f"{source}_examples_combined")
    return filled(source, audience=audience, examples=examples)


def _steps(scope: _PromptScope) -> Prose:
    return filled(scope.in_form("steps_unindexed" if scope.guide.skip_index else "steps"))


def _index_rule(scope: _PromptScope) -> Prose | None:
    mode = scope.mode
    rule = mode.unindexed_rule if scope.guide.skip_index else mode.index_rule
    return _fill_text(scope.in_form(rule), scope) if rule else Prose()


def _unindexed_directory(scope: _PromptScope) -> Prose | None:
    return code_span(scope.guide.directory) if scope.guide.skip_index else None


def _extra(scope: _PromptScope) -> Prose | None:
    return bullet_list([guideline for guideline in scope.guide.extra if guideline.strip()]) or None


def _searches(scope: _PromptScope) -> Prose | None:
    tool = scope.guide.search_past
    return _fill_text(scope.in_form(f"search_{tool}"), scope) if tool else None


def _transcripts(scope: _PromptScope) -> Prose | None:
    if not scope.guide.transcripts:
        return Prose()
    return _fill_text(scope.in_form(f"search_{scope.guide.search_past}_transcripts"), scope)


_INDEXES: Mapping[str, Callable[[Guide], Clipped | None]] = {
    "index": lambda guide: guide.index,
    "team_index": lambda guide: guide.team_index,
}

_FIELDS: Mapping[str, Callable[[_PromptScope], str | None]] = {
    "name": lambda scope: filled("name_override" if scope.guide.override_named else "name"),
    "directory": lambda scope: code_span(scope.guide.directory),
    "unindexed_directory": _unindexed_directory,
    "directory_word": lambda scope: shell_word(scope.guide.directory),
    "team_directory": lambda scope: code_span(scope.guide.team_directory or ""),
    "team_below": _team_below,
    "logs": lambda _: code_span(_LOGS),
    "kinds": _kinds,
    "secrets": lambda scope: filled(scope.mode.secrets),
    "steps": _steps,
    "index_rule": _index_rule,
    "index_lines": lambda _: Prose(INDEX_LINES),
    "index_characters": lambda _: Prose(f"{INDEX_CHARACTERS:,}"),
    "extra": _extra,
    "searches": _searches,
    "transcripts": _transcripts,
    "transcripts_path": lambda scope: code_span(scope.guide.transcripts),
    "transcripts_near": _transcripts_near,
    "transcripts_word": lambda scope: shell_word(scope.guide.transcripts),
    "index": lambda scope: scope.guide.index.content if scope.guide.index else None,
    "team_index": lambda scope: scope.guide.team_index.content if scope.guide.team_index else None,
}
"""What fills a field of a text, by its name; None means that the text has nothing to say."""
