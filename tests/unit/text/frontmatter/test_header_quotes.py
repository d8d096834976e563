"""A quoted value is read back as it was, by YAML engines and by our own reader."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memdir.text.frontmatter.header import assignment, parse, quote

ANY_TEXT = st.text(st.characters(exclude_categories=[]))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", '""'),
        ("plain", '"plain"'),
        ('say "hi"', r'"say \"hi\""'),
        ("C:\\new", r'"C:\\new"'),
        ("a\nb\tc", r'"a\nb\tc"'),
        ("\r\0\x1b\x7f\x85\x9f", r'"\x0d\x00\x1b\x7f\x85\x9f"'),
        ("\u2028\u2029\ufeff", r'"\u2028\u2029\ufeff"'),
        ("\ud800 \udcff", r'"\ud800 \udcff"'),
        ("Use bun: not npm # really", '"Use bun: not npm # really"'),
        ("é 日本 🚀 \u200d \xa0", '"é 日本 🚀 \u200d \xa0"'),
    ],
)
def test_only_what_readers_change_is_escaped(value: str, expected: str) -> None:
    assert quote(value) == expected


def test_every_other_character_stands_literally() -> None:
    escaped = {chr(code) for code in range(0x110000) if quote(chr(code)) != f'"{chr(code)}"'}
    controls = {chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))}
    surrogates = {chr(code) for code in range(0xD800, 0xE000)}
    assert escaped == controls | surrogates | set('"\\\u2028\u2029\ufeff\ufffe\uffff')


def test_two_halves_of_one_character_become_that_character() -> None:
    assert quote("\ud83d\ude80") == '"🚀"'
    assert parse('---\nx: "\\ud83d\\ude80"\n---\n').fields["x"] == "🚀"


@given(st.text())
def test_a_yaml_engine_reads_it_back(value: str) -> None:
    document = f"key: {quote(value)}\n"
    assert yaml.safe_load(document) == {"key": value}
    assert yaml.load(document, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)) == {"key": value}  # noqa: S506


@given(ANY_TEXT)
def test_our_reader_reads_it_back(value: str) -> None:
    whole = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert parse(f"---\nkey: {quote(value)}\n---\n").fields == {"key": whole}


@given(ANY_TEXT)
def test_it_is_always_one_line(value: str) -> None:
    assert len(quote(value).splitlines()) == 1


@given(st.text(), st.text())
def test_any_key_can_be_assigned(key: str, value: str) -> None:
    front = parse(f"---\n{assignment(key, value)}---\n")
    assert (front.fields, front.problems) == ({key: value}, ())
