"""What is refused before anything is written: credentials, texts that no memory can be, unusable values.

Text that only repeats what the project shows at any time is asked about.
"""

from __future__ import annotations

import re
from datetime import date

from memdir.errors import Rejected, SecretFound
from memdir.memories.names import TEAM_FOLDER, is_team_file, leads_out, slug
from memdir.memories.topic import ACTORS, SOURCES, Draft, Kind, kind_named
from memdir.resources import patterns_of, read_table, rows_of
from memdir.text.secrets.search import find_secrets, secret_names

__all__ = [
    "MAX_BODY_BYTES",
    "derivable_hint",
    "refuse_path",
    "refuse_secrets",
    "refuse_unknown_writer",
    "refuse_unusable",
    "refuse_unusable_name",
    "required_kind",
    "text_problem",
]

MAX_BODY_BYTES = 250_000
"""What team memory can carry; a larger text is a document, and a memory should point at it."""

MAX_NAME = 100
"""Characters of a name that somebody gives: it is typed, and its file is called by it."""


def refuse_secrets(text: str, label: str = "", *, has_option: bool = False) -> None:
    """Raise when a text holds a credential; the message names the rule, never the value.

    With a label the text is a part of a memory that every conversation is told: no option allows it there.
    `has_option` says that the caller can keep the credential in a private file all the same.
    """
    found = find_secrets(text) if text else []
    if found and label:
        raise SecretFound(
            f"Not saved: the {label} holds what looks like a credential ({found[0].rule}), and the index "
            "shows it to every conversation. Take it out: --allow-secret (allow_secret=True) keeps a "
            "credential in the text of a private memory alone."
        )
    if found:
        option = ", or pass --allow-secret (allow_secret=True) to keep it in the private file"
        raise SecretFound(
            f"Not saved: the text holds what looks like a credential ({secret_names(text)}). "
            f"Take it out and say where it is kept{option if has_option else ''}."
        )


def required_kind(text: str) -> Kind:
    """Return the kind of that name; raise for another word."""
    kind = kind_named(text)
    if kind is None:
        raise Rejected(f"{text!r} is not a kind of memory. Use one of {', '.join(Kind)}.")
    return kind


def refuse_unusable_name(name: str) -> None:
    """Raise for what a memory cannot be called from now on."""
    if not name.strip():
        raise Rejected("The new name is empty. Say what the memory shall be called.")
    _refuse_long_name(name.strip())
    refuse_secrets(name, "new name")
    refuse_path(name)


def refuse_path(name: str) -> None:
    """Raise for a name that is a path; a title of several words may have a slash in it."""
    if re.search(r"[/\\]|^~|^\.\.$", name) and (leads_out(name) or len(name.split()) == 1):
        team = " --team (audience='team') saves it for the team." if is_team_file(name) else ""
        raise Rejected(
            f"{name!r} is a path, and a memory is called by a name: memdir chooses its file. "
            f"Give a name without a slash, such as {slug(name.removeprefix(TEAM_FOLDER))!r}.{team}"
        )


def refuse_unknown_writer(actor: str, source: str) -> None:
    """Raise for a writer or a source that nothing knows: history and trust go by these words."""
    for label, word, known in (("actor", actor, ACTORS), ("source", source, SOURCES)):
        if word not in known:
            raise Rejected(f"{word!r} is not a known {label}. Use one of {', '.join(known)}.")


def refuse_unusable(draft: Draft, body: str) -> None:
    """Raise for a draft without a text, with an unusable value, or with a credential outside its text."""
    if not body:
        raise Rejected("There is nothing to remember: the text is empty. Say what should be kept.")
    told = {
        "name": draft.name,
        "title": draft.title,
        "description": draft.description,
        "rule": draft.enforce,
        "name it supersedes": draft.supersedes,
    }
    for label, text in {**told, "text": body, "why": draft.why, "how": draft.how}.items():
        if problem := text_problem(text):
            raise Rejected(f"The {label} {problem}")
    _refuse_long_name(draft.name.strip())
    refuse_unknown_writer("user", draft.source or "user")
    if draft.expires and not _is_day(draft.expires):
        raise Rejected(f"{draft.expires[:40]!r} is not a day. Write `expires` as 2030-12-31.")
    for label, text in told.items():
        refuse_secrets(text, label)


def _refuse_long_name(name: str) -> None:
    if len(name) > MAX_NAME:
        raise Rejected(
            f"The name has {len(name):,} characters, and {MAX_NAME} is the most. "
            "Give a few words, and put the rest into the description or the text."
        )


def _is_day(text: str) -> bool:
    try:
        return re.fullmatch(r"\d{4}-\d\d-\d\d", text) is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False


_UPPER_HALVES, _HALVES = r"[\ud800-\udbff]", r"[\ud800-\udfff]"


def text_problem(text: str, most: int = MAX_BODY_BYTES, *, odd_bytes: bool = False) -> str:
    """Return why a text cannot be that of a memory, as the end of a sentence; empty if it can.

    `odd_bytes` allows what stands for bytes of a file that are not UTF-8.
    """
    if len(text.encode("utf-8", "surrogatepass")) > most:
        return f"is over {most:,} bytes. Save what is worth recalling and point at the rest."
    if "\0" in text:
        return "contains a NUL character. Remove it and save again."
    if not text.isascii() and re.search(_UPPER_HALVES if odd_bytes else _HALVES, text):
        return "contains half of a surrogate pair. Save it as valid Unicode text."
    return ""


def derivable_hint(body: str) -> str:
    """Return a question when a text only repeats the project's state; empty when it also argues or warns."""
    form = "" if re.search(_PATTERNS["reason"], body.lower()) else _derivable_form(body)
    if not form:
        return ""
    return (
        f"This looks like {_NAMED[form]}, which the project itself shows at any time. "
        "What about it is surprising? Keep that instead."
    )


def _derivable_form(body: str) -> str:
    """Return in which form a text says what the project shows; empty when it does not."""
    lines = [line for line in body.splitlines() if line.strip()]
    if len(re.findall(_PATTERNS["tree"], body)) > 1:
        return "tree"
    for form in _OF_LINES:
        if _is_mostly(_PATTERNS[form], lines):
            return form
    for form in _ANYWHERE:
        if re.search(_PATTERNS[form], body):
            return form
    if form := _repeated_statement(body.strip()):
        return form
    return "defined-in" if len(lines) < 4 and re.search(_PATTERNS["defined-in"], body) else ""


MOST = 0.6
"""Share of lines that makes a text a list of one thing, though it has a heading or a closing sentence."""


def _is_mostly(pattern: str, lines: list[str]) -> bool:
    """Tell whether most lines of a text of three lines or more are of one form."""
    return len(lines) > 2 and sum(1 for line in lines if re.match(pattern, line)) / len(lines) > MOST


MAX_STATEMENT = 400
"""Characters of a plain statement: a longer text holds something besides."""


def _repeated_statement(body: str) -> str:
    """Return the form of a short text whose sentences all state what the project shows."""
    if len(body) > MAX_STATEMENT or re.search(_PATTERNS["more"], body.lower()):
        return ""
    sentences = [part for part in re.split(_PATTERNS["sentence-end"], body) if part.strip()]
    forms = [
        next((form for form in _STATEMENTS if re.search(_PATTERNS[form], sentence, re.IGNORECASE)), "")
        for sentence in (part.strip(" \t\n*-#") for part in sentences)
    ]
    return forms[0] if forms and all(forms) else ""


_TABLE = read_table(__file__, "derivable.txt")
_PATTERNS = patterns_of(_TABLE["parts"], _TABLE["statements"])
_NAMED = rows_of(_TABLE["named"])
"""What a text of each form only repeats."""
_STATEMENTS = [*rows_of(_TABLE["statements"])]
_OF_LINES = ("listed-path", "commit-line", "checkbox")
"""Forms of lines of which most of a text may consist."""
_ANYWHERE = ("commit-told", "fixed-by", "task")
"""Forms that tell it wherever they stand."""
