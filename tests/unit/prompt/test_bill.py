"""A bill lists every part with its price, and proposes what costs less, the greatest saving first."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.prompt.bill import WINDOW, Bill, BilledFile, Facts, Saving, Size, WaitingRule, bill_of
from memdir.prompt.context import Context, HostTexts, OurTexts, assemble
from memdir.prompt.templates import PromptSection
from memdir.text.clip import INDEX_LINES, tokens
from memdir.text.repeats import Repeat

SIZE = Size(lines=10, characters=1_000)
FACTS = Facts(SIZE)
MECHANICS = (PromptSection("title", "t" * 400), PromptSection("why", "w" * 400))


def context(*files: BilledFile, index: str = "", mechanics: tuple[PromptSection, ...] = ()) -> Context:
    """Return a context of these files, as each is told."""
    entries = tuple(PromptSection(file.path, f"Contents of {file.path}:\n\n{file.text}") for file in files)
    indexes = (PromptSection("/m/MEMORY.md", index),) if index else ()
    return assemble(HostTexts(tools="Use tools."), OurTexts(mechanics, entries, indexes))


def savings(*files: BilledFile, facts: Facts = FACTS) -> list[Saving]:
    """Return what is proposed about these files."""
    return list(bill_of(context(*files), replace(facts, files=files)).savings)


def rule(text: str) -> BilledFile:
    return BilledFile("/p/.claude/rules/a.md", "project", text, always=True)


def test_every_part_is_listed_in_order_with_its_file() -> None:
    file = BilledFile("/p/CLAUDE.md", "project", "Use tabs.")
    bill = bill_of(context(file, mechanics=MECHANICS), replace(FACTS, files=(file,)))
    assert [one.part.name for one in bill.told] == ["tools", "title", "why", "/p/CLAUDE.md"]
    assert [one.file for one in bill.told] == [None, None, None, file]
    assert bill.told[-1].lines == 3


def test_the_sum_is_that_of_the_parts() -> None:
    whole = context(BilledFile("/p/a.md", "user", "x" * 99), mechanics=MECHANICS)
    assert bill_of(whole, FACTS).tokens == whole.tokens == sum(part.tokens for part in whole.parts)


def test_the_window_is_the_usual_one_unless_named() -> None:
    assert bill_of(context(), FACTS).window == WINDOW
    assert bill_of(context(), FACTS, 1_000).window == 1_000


def test_what_waits_and_what_was_left_out_is_passed_on() -> None:
    later = WaitingRule("/p/.claude/rules/api.md", ("src/**",), 12)
    bill = bill_of(context(), replace(FACTS, later=(later,), left_out=2))
    assert bill == Bill(WINDOW, bill.told, (later,), 2, ())


def test_nothing_is_proposed_about_short_files() -> None:
    assert savings(BilledFile("/p/CLAUDE.md", "project", "Use tabs.\n" * 9)) == []


def test_the_compact_form_saves_the_difference() -> None:
    facts = replace(FACTS, compact=50, settings="/home/settings.json")
    (saving,) = bill_of(context(mechanics=MECHANICS), facts).savings
    assert (saving.code, saving.tokens, saving.paths) == ("compact", 150, ("/home/settings.json",))


@pytest.mark.parametrize("compact", [None, 200, 300])
def test_a_compact_form_that_is_no_shorter_or_unwanted_is_not_proposed(compact: int | None) -> None:
    assert bill_of(context(mechanics=MECHANICS), replace(FACTS, compact=compact)).savings == ()


def test_a_file_with_too_many_lines_saves_what_is_over() -> None:
    (saving,) = savings(BilledFile("/p/CLAUDE.md", "project", "\n".join(["four"] * 40)))
    assert (saving.code, saving.tokens, saving.paths) == ("size", 38, ("/p/CLAUDE.md",))
    assert saving.advice.startswith("40 lines, 199 characters")


def test_a_file_with_too_many_characters_saves_what_is_over() -> None:
    (saving,) = savings(BilledFile("/p/CLAUDE.md", "project", "x" * 4_000))
    assert (saving.code, saving.tokens) == ("size", 750)


def test_a_file_of_exactly_the_recommended_size_is_not_too_long() -> None:
    assert (
        savings(
            BilledFile("/p/a.md", "user", "\n".join(["x"] * 10)), BilledFile("/p/b.md", "user", "x" * 1_000)
        )
        == []
    )


def test_nothing_is_proposed_about_what_an_organisation_decides() -> None:
    assert savings(BilledFile("/etc/CLAUDE.md", "managed", "x\n" * 50)) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("All `*.sql` files have capitals.", "*.sql"),
        ("All *.sql files have capitals.", "*.sql"),
        ("In `src/api/` every route is checked.", "src/api/"),
        ("Look at `make` first, then `src/**`.", "src/**"),
        ("Tests match **/*.test.ts here.", "**/*.test.ts"),
    ],
)
def test_a_rule_for_any_file_that_names_certain_ones_could_be_conditional(text: str, named: str) -> None:
    (saving,) = savings(rule(text))
    assert (saving.code, saving.paths) == ("rule", ("/p/.claude/rules/a.md",))
    assert f"names {named};" in saving.advice
    assert saving.tokens == tokens(f"Contents of /p/.claude/rules/a.md:\n\n{text}")


@pytest.mark.parametrize(
    "text",
    [
        "Use **strong** words, and *emphasis*.",
        "Run `make check`, then `git push`.",
        "See `https://example.org/a/` for more.",
        "Either `/` or `a/b.py`.",
        "2 * 3 and a*b.",
        "*.",
    ],
)
def test_a_rule_that_names_no_sort_of_files_is_left_alone(text: str) -> None:
    assert savings(rule(text)) == []


def test_a_file_that_is_no_rule_may_name_any_files() -> None:
    assert savings(BilledFile("/p/CLAUDE.md", "project", "All `*.sql` files have capitals.")) == []


def test_a_long_rule_is_one_proposal() -> None:
    assert [one.code for one in savings(rule("In `src/**`:\n" + "x\n" * 50))] == ["rule"]


def test_a_sentence_in_two_files_is_quoted_and_saves_one_of_them() -> None:
    sentence = "Run the tests before you say that something works."
    (saving,) = savings(facts=replace(FACTS, repeated=(Repeat(sentence, ("/a.md", "/b.md")),)))
    assert (saving.code, saving.tokens, saving.paths) == ("repeated", tokens(sentence), ("/a.md", "/b.md"))
    assert f'"{sentence}"' in saving.advice


def test_a_sentence_in_three_files_saves_two_of_them() -> None:
    (saving,) = savings(facts=replace(FACTS, repeated=(Repeat("x" * 40, ("/a", "/b", "/c")),)))
    assert saving.tokens == 20


def test_sentences_that_the_same_files_share_are_one_proposal() -> None:
    shared = (Repeat("x" * 40, ("/a", "/b")), Repeat("y" * 40, ("/a", "/b")))
    found = savings(facts=replace(FACTS, repeated=(*shared, Repeat("z" * 8, ("/b", "/c")))))
    assert [(one.paths, one.tokens) for one in found] == [(("/a", "/b"), 20), (("/b", "/c"), 2)]
    assert "2 sentences" in found[0].advice


def test_a_long_sentence_is_quoted_by_its_beginning() -> None:
    (saving,) = savings(facts=replace(FACTS, repeated=(Repeat("word " * 100, ("/a", "/b")),)))
    assert len(saving.advice) < 100
    assert "word…" in saving.advice


def test_braces_in_texts_are_only_text() -> None:
    (saving,) = savings(facts=replace(FACTS, repeated=(Repeat("{count} {0}", ("/a", "/b")),)))
    assert "{count} {0}" in saving.advice
    assert "{lines}/*.ts" in savings(rule("`{lines}/*.ts`"))[0].advice


def test_an_index_near_its_limit_should_be_tidied() -> None:
    text = "\n".join(["- [A](a.md) — x"] * (INDEX_LINES - 10))
    file = BilledFile("/m/MEMORY.md", "memory", text)
    (saving,) = bill_of(context(index=text), replace(FACTS, files=(file,))).savings
    assert (saving.code, saving.paths) == ("index", ("/m/MEMORY.md",))
    assert saving.advice.startswith("95% of")
    assert saving.tokens == round(tokens(text) * (1 - 0.8 / 0.95))


def test_an_index_with_room_is_left_alone() -> None:
    text = "\n".join(["- [A](a.md) — x"] * (INDEX_LINES // 2))
    file = BilledFile("/m/MEMORY.md", "memory", text)
    assert bill_of(context(index=text), replace(FACTS, files=(file,))).savings == ()


@given(
    st.lists(
        st.builds(
            BilledFile,
            path=st.text("ab/", min_size=1),
            layer=st.sampled_from(["user", "project", "managed"]),
            text=st.text("a*`/.\n "),
            always=st.booleans(),
        ),
        unique_by=lambda file: file.path,
    ),
    st.lists(st.builds(Repeat, st.text(min_size=1), st.just(("/a", "/b")))),
    st.none() | st.integers(0, 500),
)
def test_savings_are_positive_sorted_and_never_more_than_there_is(
    files: list[BilledFile], repeated: list[Repeat], compact: int | None
) -> None:
    whole = context(*files, mechanics=MECHANICS)
    facts = Facts(Size(2, 5), tuple(files), compact=compact, repeated=tuple(repeated))
    found = [saving.tokens for saving in bill_of(whole, facts).savings]
    assert all(one > 0 for one in found)
    assert found == sorted(found, reverse=True)
    of_files = [one for one in bill_of(whole, facts).savings if one.code in {"rule", "size"}]
    assert sum(one.tokens for one in of_files) <= whole.tokens
