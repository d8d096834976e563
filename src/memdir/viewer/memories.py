"""The pages of memories: the list, and one memory with all that is known of it; and what is done to one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import dropwhile

from starlette.requests import Request
from starlette.responses import Response

from memdir.errors import Conflict, MemdirError, NoSuchMemory, Rejected
from memdir.memories.history.versions import blamed_lines, trail_of
from memdir.memories.proposed_names import first_words
from memdir.memories.refusals import refuse_secrets
from memdir.memories.topic import Topic
from memdir.text.diff import file_diff
from memdir.text.frontmatter.header import body_start
from memdir.viewer.markdown import memory_address, render_markdown
from memdir.viewer.page import PageNote, Pages, page_number
from memdir.viewer.survey import ORDERS

__all__ = ["change_memory", "memories_page", "memory_page", "undo_change"]

_ROWS = 50
"""Memories on one page of the list."""

_TEXTS, _RECALLS = 20, 20
"""Changes and recalls that the page of a memory shows."""

_LONGEST_WAIT = 1.5
"""Seconds that the page of a memory waits for the check of its claims."""


def memories_page(pages: Pages, request: Request) -> Response:
    """List memories: those with the words asked for, of one kind, sorted."""
    given, survey = request.query_params, pages.survey
    words, kind, order = given.get("q", "").strip()[:200], given.get("kind", ""), given.get("order", "")
    order, table = order if order in ORDERS else ORDERS[0], survey.table.certain()
    found = table.find_headers(words, kind, order, survey.rank(order))
    number, last = page_number(given, len(found), _ROWS)
    rows = survey.rows(found[number * _ROWS : (number + 1) * _ROWS])
    return pages.show(
        request,
        "memories",
        asked={"words": words, "kind": kind, "order": order},
        orders=ORDERS,
        rows=rows,
        count=len(found),
        total=len(table.headers),
        kinds=table.kinds,
        number=number,
        last=last,
        unchecked=any(row.verdict is None for row in rows),
    )


def memory_page(
    pages: Pages, request: Request, *, draft: str | None = None, trouble: str = "", status: int = 200
) -> Response:
    """Show one memory; with a draft, the text that a person typed and that could not be saved."""
    survey, file = pages.survey, _file(pages, request)
    memory, table = survey.memory, survey.table.certain()
    topic = memory.read(file)
    entries = [entry for entry, _ in trail_of(survey.changes.certain(), file)]
    texts = memory.history.texts(file, entries, limit=_TEXTS) if entries else []
    recalls = survey.recalls.certain().of.get(file, [])
    links, description = survey.links.certain(), topic.header.description
    head = topic.text[: body_start(topic.text)].count("\n")
    return pages.show(
        request,
        "memory",
        status,
        header=topic.header,
        topic=topic,
        has_lead=bool(description) and not first_words(topic.body).startswith(description.rstrip(".…")),
        html=render_markdown(topic.body, table.file_called, pages.site.root),
        mark=_mark(topic),
        draft=topic.text if draft is None else draft,
        editing=draft is not None or "edit" in request.query_params,
        trouble=trouble,
        by=survey.writers([topic.header])[file],
        checked=survey.verdict(topic.header, _LONGEST_WAIT),
        texts=texts,
        older=len(entries) - len(texts),
        blame=[*dropwhile(lambda one: not one.line, blamed_lines(texts, topic.text)[head:])],
        recalls=recalls[:_RECALLS],
        recalled=len(recalls),
        links_to=sorted(links.get(file, ())),
        known=table.by_file,
        linked_from=sorted(one for one, files in links.items() if file in files),
    )


def change_memory(pages: Pages, request: Request, form: Mapping[str, str]) -> Response:
    """Edit, rename, forget or restore the memory of this page."""
    action, file = form.get("do", ""), _file(pages, request)
    memory = pages.survey.opened()
    if action == "edit":
        return _edit(pages, request, file, form)
    if action == "rename":
        saved = memory.rename(file, form.get("name", ""))
        note = PageNote(f"Renamed to {saved.file}.", saved.operation, tuple(saved.warnings))
        return pages.after_change(memory_address(saved.file), note)
    if action == "forget":
        gone = memory.forget(file)
        note = PageNote(f"Forgot {file}. Its text is in the trash and in history.", gone.operation)
        return pages.after_change("/", note)
    raise Rejected(f"Nothing here is called {action!r}.")


def undo_change(pages: Pages, _: Request, form: Mapping[str, str]) -> Response:
    """Take back one change; where a file changed since, the person says which text is right."""
    how = form.get("how") or "stop"
    done = pages.survey.opened().undo(form.get("operation") or None, on_collision=how)
    text = f"Undid {done.undid.verb} of {', '.join(done.undid.files[:3])}."
    pages.survey.forget_cached()
    there = [memory_address(file) for file in done.files if file in pages.survey.table.certain().by_file]
    place = form.get("back", "/")
    if place not in (*there, "/timeline", "/inbox", "/doctor"):
        place = there[0] if len(there) == 1 else "/"
    return pages.after(place, PageNote(text, done.operation, tuple(done.warnings)))


def _edit(pages: Pages, request: Request, file: str, form: Mapping[str, str]) -> Response:
    """Save a text if the file still is what the person saw; otherwise show both and keep what was typed."""
    memory = pages.survey.opened()
    topic, typed = memory.read(file), form.get("text", "").replace("\r\n", "\n")
    if "\r\n" in topic.text:
        typed = typed.replace("\n", "\r\n")
    try:
        if form.get("mark") != _mark(topic):
            raise Conflict("Somebody changed this memory while you were editing. Your text is kept below.")
        refuse_secrets(typed)  # a page has no option that allows them
        saved = memory.edit(topic, typed)
    except MemdirError as error:
        change = f"\n\n{file_diff(file, topic.text, typed)}" if isinstance(error, Conflict) else ""
        return memory_page(pages, request, draft=typed, trouble=f"{error}{change}", status=409)
    note = PageNote("Saved.", saved.operation, tuple(saved.warnings))
    return pages.after_change(memory_address(saved.file), note)


def _file(pages: Pages, request: Request) -> str:
    """Return the file that an address names, if there is such a memory."""
    file: str = request.path_params["file"]
    if file not in pages.survey.table.certain().by_file:
        raise NoSuchMemory(f"No memory lies in {file!r}. It may have been renamed or forgotten.")
    return file


def _mark(topic: Topic) -> str:
    return hashlib.sha256(topic.text.encode("utf-8", "surrogatepass")).hexdigest()
