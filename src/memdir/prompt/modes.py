"""The ways of keeping memory, as data: which texts a model is told in each, and which way wins."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from memdir.text.value import field, value_class

__all__ = ["COMBINED", "DAILY_LOG", "MODES", "NONE", "ORDER", "PRIVATE", "Form", "Mode"]

ORDER = (
    "title",
    "why",
    "on_request",
    "kinds",
    "exclusions",
    "saving",
    "consulting",
    "verifying",
    "plans",
    "extra",
    "past_context",
)
"""The names of the mechanics' sections; they are told in this order in every mode."""


class Form(StrEnum):
    """How much is said: everything with examples, or the bare rules."""

    FULL = "full"
    COMPACT = "compact"


@value_class(frozen=True, slots=True)
class Mode:
    """One way of keeping memory; adding a way is adding one of these and its texts."""

    name: str
    needs: frozenset[str]
    """What must hold for it: on, daily-log, team."""
    texts: Mapping[Form, Mapping[str, str]]
    """For each form and each section that is told the name of its text."""
    indexes: tuple[str, ...] = ("index",)
    """The indexes that can be shown after the mechanics."""
    audiences: bool = False
    """Whether each kind says which audience it is for, with examples for both."""
    secrets: str = "secrets"
    """The text on what never to save, whoever reads it."""
    index_rule: str = "index_rule"
    """The text on how to treat the index."""
    unindexed_rule: str = ""
    """The text that stands in its place in index-free mode, if there is anything to say."""
    additions: Mapping[str, str] = field(default_factory=dict)
    """For a host that explains memory itself: the sections that it cannot know, each with its text."""


_FULL = {name: name for name in ORDER}
_COMPACT = {name: f"compact_{name}" for name in ORDER}

_ADDITIONS = {"saving": "host_saving", "extra": "compact_extra"}

PRIVATE = Mode(
    "private",
    frozenset({"on"}),
    {Form.FULL: _FULL, Form.COMPACT: _COMPACT},
    additions=_ADDITIONS,
)

COMBINED = Mode(
    "combined",
    frozenset({"on", "team"}),
    {
        Form.FULL: _FULL | {"title": "title_combined"},
        Form.COMPACT: _COMPACT
        | {name: f"compact_{name}_combined" for name in ("title", "kinds", "exclusions")},
    },
    indexes=("index", "team_index"),
    audiences=True,
    secrets="secrets_combined",
    additions={"title": "host_title_combined", **_ADDITIONS},
)

_LOG_TEXTS = {
    "title": "title_log",
    "on_request": "on_request_log",
    "kinds": "what_to_log",
    "saving": "saving_log",
}
_LOG_ORDER = [name for name in ORDER if name != "extra"]

DAILY_LOG = Mode(
    "daily-log",
    frozenset({"on", "daily-log"}),
    {
        Form.FULL: {name: _LOG_TEXTS.get(name, name) for name in _LOG_ORDER},
        Form.COMPACT: {name: f"compact_{_LOG_TEXTS.get(name, name)}" for name in _LOG_ORDER},
    },
    index_rule="index_rule_log",
    unindexed_rule="index_rule_log_unindexed",
    additions={
        "title": "host_title_log",
        **{name: f"compact_{_LOG_TEXTS[name]}" for name in ("on_request", "kinds", "saving")},
    },
)

NONE = Mode("none", frozenset(), {Form.FULL: {}, Form.COMPACT: {}}, indexes=())

MODES = (DAILY_LOG, COMBINED, PRIVATE, NONE)
"""The first whose needs are met is told."""
