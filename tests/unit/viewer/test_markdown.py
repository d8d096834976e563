"""Memory text as HTML: what it may become, and that nothing else comes of any text."""

import re
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.recall.injections import INJECTIONS

from memdir.viewer.markdown import diff_lines, escape_hidden, render_markdown

TEXT = frozenset({"p", "a", "em", "strong", "s", "code", "pre", "span", "hr", "br", "blockquote"})
TAGS = TEXT | {"div", "h3", "h4", "h5", "h6", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"}
ATTRIBUTES = {"href", "rel", "class", "tabindex", "start"}


def find(link: str) -> str:
    return {"terse": "user_terse.md", "user_terse.md": "user_terse.md"}.get(link, "")


class Strict(HTMLParser):
    """Fails on any tag, attribute or address that is not one of ours; keeps what a reader sees."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = ""

    def handle_data(self, data: str) -> None:
        self.shown += data

    def handle_endtag(self, tag: str) -> None:
        assert tag in TAGS, tag

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        for name, value in attrs:
            assert name in ATTRIBUTES, name
            if name == "href":
                address = urlsplit(value or "")
                assert address.scheme in {"http", "https", "mailto"} or (value or "").startswith("/memory/")

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(data)


def shown(html: str) -> str:
    """Return the text that a reader sees."""
    strict = Strict()
    strict.feed(html)
    strict.close()
    return strict.shown


def strictly(html: str) -> str:
    shown(html)
    return html


def test_markdown_is_rendered_and_headings_fit_below_those_of_the_page() -> None:
    html = render_markdown("# Rule\n\n- *one*\n- `two`\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |", find)
    assert html.startswith("<h3>Rule</h3>")
    assert "<li><em>one</em></li>" in html
    assert "<td>1</td>" in strictly(html)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("[[terse]]", '<a href="/memory/user_terse.md">terse</a>'),
        ("[x](user_terse.md)", '<a href="/memory/user_terse.md">x</a>'),
        ("[[nobody]]", '<a class="nowhere">nobody</a>'),
        ("[x](/etc/passwd)", '<a class="nowhere">x</a>'),
        ("[x](//evil.example/a)", '<a class="nowhere">x</a>'),
        (
            "[x](https://a.b/?c=d&e)",
            '<a href="https://a.b/?c=d&amp;e" rel="noreferrer noopener external">x</a>',
        ),
        ("[x](javascript:alert(1))", "[x](javascript:alert(1))"),
        ("[x](data:text/html,y)", "[x](data:text/html,y)"),
        ("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"),
        ("![x](http://a.b/c.png)", '!<a href="http://a.b/c.png" rel="noreferrer noopener external">x</a>'),
    ],
)
def test_links_lead_to_the_web_to_memories_or_nowhere(text: str, html: str) -> None:
    assert strictly(render_markdown(text, find)) == f"<p>{html}</p>\n"


@pytest.mark.parametrize("text", INJECTIONS.values(), ids=INJECTIONS)
def test_hostile_texts_become_nothing_but_text(text: str) -> None:
    words = re.findall("[A-Za-z]+", text)
    for html in (render_markdown(text, find), escape_hidden(text)):
        seen = shown(html)
        assert [word for word in words if word not in seen] == []


TRICKS = (
    *("<script>", "</p>", "<a href=", "<!--", "<![CDATA[", "<?", "&lt;", "&#x6A;avascript:", "\u202e", "\0"),
    *("[x](", "![x](", "[x]: ", "[x]", "[[terse]]", "[[", "]]", "[", "](", ")", "<", ">", '"', "'", "\\"),
    *("javascript:", "data:", "file:", "//evil.example", "http://a.b/", "user_terse.md", "terse", "/", "#"),
    *("`", "```\n", "*", "_", "~~", "|", "| - |\n", "- ", "    ", " ", "\n", "\n\n", "\t"),
)


@given(st.lists(st.sampled_from(TRICKS), max_size=30).map("".join))
@settings(max_examples=200)
def test_no_text_becomes_another_tag_or_address(text: str) -> None:
    strictly(render_markdown(text, find))


def test_hidden_characters_are_seen_and_needed_ones_stay() -> None:
    assert escape_hidden("a\u202eb") == 'a<span class="hidden">U+202E</span>b'
    assert escape_hidden("\U0001f469\u200d\U0001f4bb") == "\U0001f469\u200d\U0001f4bb"
    assert "U+200B" in render_markdown("`a\u200bb`", find)
    assert escape_hidden("\ud800") == "?"


def test_a_diff_tells_added_from_removed_and_marks_line_ends() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same \n-old \n+new\t\r\n\\ No newline at end of file\n"
    assert [kind for kind, _ in diff_lines(diff)] == [
        "about",
        "about",
        "place",
        "same",
        "removed",
        "added",
        "about",
    ]
    assert diff_lines(diff)[4][1] == '-<bdi>old<span class="end">·</span></bdi>'
    assert diff_lines(diff)[5][1] == '+<bdi>new<span class="end">→</span><span class="hidden">␍</span></bdi>'
    assert diff_lines("") == []


@pytest.mark.parametrize(
    ("before", "after", "marked"),
    [
        ("it waits 60 s, then stops", "it waits 90 s, then stops", ["60", "90"]),
        ("ask in #ops", "ask in #ops first", [" first"]),
        ("only on Tuesdays", "never", []),
        ("毎週火曜日のみ", "毎週水曜日のみ", ["火", "水"]),
        ("use a < b", "use a > b", ["&lt;", "&gt;"]),
        ("no end  ", "no end", ['<span class="end">··</span>']),
    ],
)
def test_the_words_that_changed_are_marked(before: str, after: str, marked: list[str]) -> None:
    lines = [line for _, line in diff_lines(f"-{before}\n+{after}\n")]
    assert re.findall("<b>(.*?)</b>", "".join(lines)) == marked


@given(st.text(alphabet="ab \t<é火", max_size=12), st.text(alphabet="ab \t<é火", max_size=12))
def test_no_character_of_a_changed_line_is_lost(before: str, after: str) -> None:
    shown = [unescape(re.sub("<[^>]*>", "", line)) for _, line in diff_lines(f"-{before}\n+{after}\n")]
    assert [line.replace("·", " ").replace("→", "\t") for line in shown] == [f"-{before}", f"+{after}"]
