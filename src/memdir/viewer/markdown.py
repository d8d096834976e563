"""Memory text as HTML: Markdown without its HTML, links to the web and to other memories, no images."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from html import escape
from itertools import groupby, pairwise
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from memdir.text.invisible_characters import UNSEEN, hidden_pattern

__all__ = ["DiffLine", "diff_lines", "escape_hidden", "memory_address", "render_markdown"]

DiffLine = tuple[str, str]
"""The class of a line of a diff, and the line as HTML."""

_WEB = ("http", "https", "mailto")

_MOST = 400_000
"""Characters that are rendered: a page of a novel's length, and no browser waits for more."""

_WORDS, _SHARE = re.compile(r"\s+|[\u3000-\u9fff]|[^\s\u3000-\u9fff]+"), 3
"""Words, where each sign of Chinese or Japanese is one; marked if a third of the line stayed as it was."""

Find = Callable[[str], str]
"""Return the file of a memory by what a link says; empty when there is none."""


def render_markdown(text: str, find: Find, root: str = "") -> str:
    """Return the text as HTML in which nothing runs and nothing is fetched; pages begin with the root."""
    html: str = _parser().render(_printable(text[:_MOST]), {"find": find, "root": root})
    return html


def memory_address(file: str) -> str:
    """Return where the page of a memory is."""
    return f"/memory/{quote(file, safe='/', errors='surrogateescape')}"


def escape_hidden(text: str) -> str:
    """Return a text as HTML in which hidden characters are seen as their numbers."""
    if text.isascii() and text.isprintable():
        return escape(text)
    shown = escape(_printable(text))
    return hidden_pattern().sub(_number_characters, shown) if UNSEEN.search(shown) else shown


def diff_lines(diff: str) -> list[DiffLine]:
    """Return the lines of a unified diff with a class each; changed words and last spaces are marked."""
    lines = [(_kind(line), line) for line in diff.removesuffix("\n").split("\n")] if diff else []
    alike = _alike(lines)
    return [(kind, _line(kind, line, alike.get(at))) for at, (kind, line) in enumerate(lines)]


def _kind(line: str) -> str:
    if line.startswith(("--- ", "+++ ", "\\")):
        return "about"
    return {"+": "added", "-": "removed", "@": "place"}.get(line[:1], "same")


def _alike(lines: Sequence[DiffLine]) -> dict[int, tuple[int, int]]:
    """Return how much stayed at the begin and at the end of lines that were replaced one for one."""
    found: dict[int, tuple[int, int]] = {}
    runs = [(kind, [*some]) for kind, some in groupby(range(len(lines)), key=lambda at: lines[at][0])]
    for (kind, old), (after, new) in pairwise(runs):
        if (kind, after, len(old)) == ("removed", "added", len(new)):
            for one, two in zip(old, new, strict=True):
                before, now = lines[one][1][1:], lines[two][1][1:]
                ends = _common(before, now)
                if _SHARE * sum(ends) >= max(len(before), len(now)):
                    found[one] = found[two] = ends
    return found


def _common(old: str, new: str) -> tuple[int, int]:
    """Return how many characters two lines begin and end with alike, in whole words."""
    first, second = _WORDS.findall(old), _WORDS.findall(new)
    least = min(len(first), len(second))
    start = next((at for at in range(least) if first[at] != second[at]), least)
    most = least - start
    end = next((at for at in range(most) if first[-1 - at] != second[-1 - at]), most)
    return len("".join(first[:start])), len("".join(first[len(first) - end :]))


def _line(kind: str, line: str, alike: tuple[int, int] | None) -> str:
    """Return a line as HTML: its sign, then its text in its own direction with the changed words marked."""
    if kind in ("about", "place"):
        return escape_hidden(line)
    text, is_change = line[1:], kind != "same"
    start, end = alike or (len(text), 0)
    head, middle, tail = text[:start], text[start : len(text) - end], text[len(text) - end :]
    parts = [escape_hidden(part) for part in (head, middle, tail)]
    last = 2 if tail else 1 if middle else 0
    parts[last] = _ends((head, middle, tail)[last]) if is_change else parts[last]
    changed = f"<b>{parts[1]}</b>" if middle else ""
    return f"{escape(line[:1])}<bdi>{parts[0]}{changed}{parts[2]}</bdi>"


def _ends(text: str) -> str:
    """Return the end of a line as HTML in which white space is seen."""
    whole = text.removesuffix("\r")
    bare = whole.rstrip(" \t")
    ends = escape(whole[len(bare) :]).replace(" ", "·").replace("\t", "→")
    end = f'<span class="end">{ends}</span>' if ends else ""
    back = '<span class="hidden">␍</span>' if whole != text else ""
    return escape_hidden(bare) + end + back


def _number_characters(match: re.Match[str]) -> str:
    if match["needed"]:
        return match["needed"]
    return "".join([f'<span class="hidden">U+{ord(sign):04X}</span>' for sign in match[0][:16]])


def _printable(text: str) -> str:
    """Return a text that can be sent: half characters become replacements."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])
    parser.disable("image")
    parser.validateLink = _is_allowed  # type: ignore[assignment,method-assign]
    parser.inline.ruler.before("link", "wiki", _wiki)
    parser.add_render_rule("link_open", _link)
    for sort, html in _FRAMES.items():
        parser.add_render_rule(sort, _frame(html))
    for cell in ("th_open", "td_open"):  # without the style of its column, which no page here may have
        parser.add_render_rule(cell, lambda _, tokens, at, *__: f"<{tokens[at].tag}>")
    for heading in ("heading_open", "heading_close"):
        parser.add_render_rule(heading, _heading)
    return parser


_BLOCK = '<pre tabindex="0"><code>{}</code></pre>\n'
_FRAMES = {
    "text": "{}",
    "code_inline": "<code>{}</code>",
    "fence": _BLOCK,
    "code_block": _BLOCK,
    "table_open": '<div class="scroll" tabindex="0"><table>\n',
    "table_close": "</table></div>\n",
}
"""What stands around the escaped text of each sort of token."""


def _is_allowed(address: str) -> bool:
    """Tell whether a link may be one: the web, mail, or a path, which leads to a memory or nowhere."""
    scheme = _scheme(address)
    return scheme in _WEB or (not scheme and ":" not in address.partition("/")[0])


def _scheme(address: str) -> str:
    try:
        return urlsplit(address.strip()).scheme.lower()
    except ValueError:
        return "none"


def _wiki(state: StateInline, silent: bool) -> bool:
    """Read `[[name]]` as a link to the memory of that name."""
    found = re.compile(r"\[\[([^\[\]\n|#]{1,200})(?:[|#][^\]\n]{0,200})?\]\]").match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        state.push("link_open", "a", 1).attrs = {"href": found[1].strip()}
        state.push("text", "", 0).content = found[1].strip()
        state.push("link_close", "a", -1)
    state.pos = found.end()
    return True


def _link(_: Any, tokens: Sequence[Token], at: int, __: Any, env: Mapping[str, Any]) -> str:
    address = str(tokens[at].attrs.get("href", ""))
    if _scheme(address) in _WEB:
        return f'<a href="{escape(address)}" rel="noreferrer noopener external">'
    file = env["find"](unquote(address.partition("#")[0]))
    return f'<a href="{escape(env["root"] + memory_address(file))}">' if file else '<a class="nowhere">'


def _frame(html: str) -> Callable[..., str]:
    return lambda _, tokens, at, *__: html.format(escape_hidden(tokens[at].content))


def _heading(_: Any, tokens: Sequence[Token], at: int, *__: Any) -> str:
    """Write headings two levels down: the page has its own above them."""
    level = min(int(tokens[at].tag[1]) + 2, 6)
    return f"<{'/' * (tokens[at].nesting < 0)}h{level}>"
