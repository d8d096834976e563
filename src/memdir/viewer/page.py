"""How a page is made: templates, the words in them, form tokens, and notes that are shown once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from memdir.conversation.messages import moment
from memdir.memories.topic import EPOCH, Provenance, time_since
from memdir.memory import Memory
from memdir.text.value import replace, value_class
from memdir.viewer.answer_cache import CachedAnswer
from memdir.viewer.markdown import diff_lines, escape_hidden, memory_address
from memdir.viewer.survey import Survey

__all__ = ["PageNote", "Pages", "Site", "day_in_words", "exact_age", "page_number", "sign_in_page"]

_MOST_NOTES = 32


@value_class(frozen=True, slots=True)
class PageNote:
    """What came of something a person did, shown once on the next page."""

    said: str
    operation: str = ""
    """The change that a button beside it undoes."""
    details: tuple[str, ...] = ()


@value_class(frozen=True, slots=True)
class Site:
    """Where the pages are, and what there is of them."""

    form_token: Callable[[str], str]
    """Return the token of the forms that are sent to one path."""
    root: str = ""
    """What the addresses of all pages begin with."""
    title: str = ""
    """What is said of the memory in place of its directory."""
    paths: tuple[str, ...] = ()
    """The pages that there are; all of them where none is named."""

    def has(self, path: str) -> bool:
        """Tell whether there is such a page."""
        return not self.paths or path in self.paths


class Pages:
    """Renders pages about one memory."""

    def __init__(self, survey: Survey, site: Site) -> None:
        self.survey, self.site = survey, site
        self._notes: dict[str, PageNote] = {}
        self._places = CachedAnswer(lambda: _places(survey.opened()))
        self._environment = _environment()
        self._environment.filters |= _FILTERS
        self._environment.filters["address"] = lambda file: site.root + memory_address(file)
        here = {"form_token": site.form_token, "root": site.root}
        self._environment.globals |= {**here, "who": who, "trust": trust}

    def show(self, request: Request, name: str, /, status: int = 200, **values: Any) -> Response:
        """Render one template."""
        memory = self.survey.memory
        about = {
            "path": request.url.path,
            "status": status,
            "note": self._notes.pop(request.query_params.get("note", ""), None),
            "directory": self.site.title or memory.directory,
            "off": memory.verdict.off,
            "places": [place for place in self._places.certain() if self.site.has(place[0])],
            "waiting": len(self.survey.inbox.certain()),
            "now": datetime.now(UTC),
        }
        html = self._environment.get_template(f"{name}.html").render(about | values)
        headers = {"Refresh": "2"} if values.get("pending") else None
        return HTMLResponse(html.encode("utf-8", "replace"), status, headers)

    def after(self, path: str, note: PageNote, **query: str) -> Response:
        """Go on to a page that shows the note."""
        name = token_hex(8)
        self._notes[name] = note if self.site.has("/undo") else replace(note, operation="")
        for old in [*self._notes][:-_MOST_NOTES]:
            del self._notes[old]
        return RedirectResponse(f"{self.site.root}{path}?{urlencode(query | {'note': name})}", 303)

    def after_change(self, path: str, note: PageNote) -> Response:
        """Go on likewise, where memories or records were changed."""
        self.survey.forget_cached()
        return self.after(path, note)


def page_number(given: Mapping[str, str], count: int, rows: int) -> tuple[int, int]:
    """Return which page of a list is asked for and which is the last, counted from 0."""
    last, page = max(0, (count - 1) // rows), given.get("page", "")[:9]
    return min(int(page) if page.isdecimal() else 0, last), last


def sign_in_page(root: str, title: str, trouble: str = "") -> Response:
    """Return the page that asks for a token."""
    html = _environment().get_template("sign_in.html").render(root=root, title=title, trouble=trouble)
    return HTMLResponse(html, 401)


def _places(memory: Memory) -> list[tuple[str, str]]:
    """Return the addresses and names of the pages; team and agents where they are in use."""
    team = [("/team", "Team")] if memory.team.verdict.on else []
    agents = [("/agents", "Agents")] if any(one.memory for one in memory.agent.list()) else []
    return [*_PLACES, *team, *agents]


_PLACES = (
    ("/", "Memories"),
    ("/ask", "Ask"),
    ("/timeline", "Timeline"),
    ("/context", "Context"),
    ("/inbox", "Inbox"),
    ("/rules", "Rules"),
    ("/doctor", "Doctor"),
)


def who(by: Provenance | None) -> str:
    """Return who said something, in words."""
    if by is None:
        return "nobody known"
    if by.actor == "user":
        return _SOURCES.get(by.source, by.source)
    return _ACTORS.get(by.actor, by.actor) + (", in your words" if by.source == "user" else "")


def trust(by: Provenance | None) -> tuple[str, str]:
    """Return how far the words of a writer go: a class for the eye, and why."""
    if by is None:
        return "unknown", "History does not know these bytes: what the header says is only a claim."
    if by.actor == by.source == "user":
        return "own", "You saved this yourself; its rules bind."
    return "learned", "Written for you; its rules ask until you approve them."


_SOURCES = {
    "user": "you",
    "assistant": "an agent",
    "tool": "a tool",
    "import": "an import",
    "team": "a team-mate",
}
_ACTORS = {
    "host": "an agent",
    "extractor": "learned from a talk",
    "dream": "a dream",
    "sync": "a team-mate",
    "outside": "somebody outside memdir",
}


def exact_age(at: datetime | str, now: datetime) -> str:
    """Return how long ago something was: minutes and hours within a day, then whole days."""
    return time_since(_moment(at), now)


def day_in_words(at: date | str) -> str:
    """Return a day in words, with its year unless it is this one; what is no day stays as it is."""
    try:
        day = at if isinstance(at, date) else date.fromisoformat(at)
    except ValueError:
        return str(at)
    return f"{day:%a} {day.day} {day:%b}" + (f" {day.year}" if day.year != datetime.now(UTC).year else "")


def _moment(at: datetime | str) -> datetime:
    return at if isinstance(at, datetime) else moment(at) or EPOCH


_FILTERS = {
    "age": exact_age,
    "day": day_in_words,
    "local": lambda at: f"{_moment(at).astimezone():%Y-%m-%d %H:%M}",
    "iso": lambda at: _moment(at).isoformat(timespec="seconds"),
    "seen": lambda text: escape_hidden(str(text)),
    "said": lambda text: re.sub(r"`([^`]{1,200})`", r"<code>\1</code>", escape_hidden(str(text))),
    "diff": diff_lines,
    "percent": lambda share: f"{share:.1%}" if share < 0.1 else f"{share:.0%}",
    "number": "{:,}".format,
}


def _environment() -> Any:
    """Return the templates of this folder, where every value is escaped and a missing one is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folder = Path(__file__).parent / "templates"
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
