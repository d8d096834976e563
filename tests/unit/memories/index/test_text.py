"""The index always points at every memory exactly once, and never loses a word that a person wrote."""

import re
from itertools import count

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.growth import grows_with_the_text
from tests.tables import on_row

from memdir.memories.index.pointer import LINE_CHARACTERS, Pointer, pointer_line
from memdir.memories.index.text import (
    append_pointers,
    pointers,
    prune,
    targets,
    with_pointer,
    without,
)

TERSE = Pointer("Terse replies", "feedback_terse.md", "no summaries at the end")
BUN = Pointer("Use bun", "project_bun.md", "never npm in this repository")
HUB = Pointer("More feedback memories (1)", "hubs/feedback-1.md", "187 memories")
TERSE_LINE = "- [Terse replies](feedback_terse.md) — no summaries at the end"


def healed(text: str, expected: list[Pointer]) -> str:
    """Return an index in step with the files: without what is wrong in it, and what is missing appended."""
    rest = prune(text, {pointer.file for pointer in expected}.__contains__)
    return append_pointers(rest.text, [pointer for pointer in expected if pointer.file not in rest.present])


files = st.one_of(
    st.sampled_from(
        ["a.md", "b.md", "sub/c.md", "my file.md", "x(1).md", "100%.md", "é.md", "hubs/other-1.md"]
    ),
    st.from_regex(r"[A-Za-z0-9_ ()%#\[\]:<>é😀\n\udcfe\ufeff-]{1,12}\.md", fullmatch=True),
)
made = st.builds(Pointer, st.text(max_size=60), files, st.text(max_size=200))
expectations = st.lists(made, max_size=8, unique_by=lambda pointer: pointer.file)
PROSE = """\
# Memory|Some words.|- a plain bullet|  indented|---|```|~~~~|<!--|-->|- ```|=======|key: value|[a](a.md)|\
- [Up](../x.md)|- [Docs](https://x.org/a.md)|    - deeper|- [Abs](/etc/x.md)|a --> b|<!-- gone -->|```py|\
\t\ttabs|...|> quote|"""
prose = st.one_of(
    st.sampled_from(PROSE.split("|")),
    st.text(max_size=30).filter(lambda line: "\n" not in line and "](" not in line),
)
entries = st.one_of(
    prose,
    made.map(pointer_line),
    files.map(lambda file: f"  * **[A person's own]({file.replace(' ', '%20')})**: words --> here"),
    st.sampled_from(
        ["<<<<<<< HEAD", "=======", ">>>>>>> theirs", "<<<<<<<", "||||||| base", "\ufeff", "\0\0\0"]
    ),
)
texts = st.builds(
    lambda lines, end, last: end.join(lines) + last * end,
    st.lists(entries, max_size=14),
    st.sampled_from(["\n", "\r\n"]),
    st.integers(0, 2),
)


def only_prose(text: str) -> list[str]:
    """Return the lines that say something and are neither pointers nor the damage that healing removes."""
    found = targets(text)
    lines = [line for line, file in zip(text.split("\n"), found, strict=True) if not file]
    return [line.removesuffix("\r") for line in lines if line.strip()]


def test_a_pointer_is_one_short_line() -> None:
    assert pointer_line(TERSE) == TERSE_LINE
    assert pointer_line(Pointer("Alone", "alone.md")) == "- [Alone](alone.md)"
    assert pointer_line(TERSE, below=True) == TERSE_LINE.replace("](", "](../")


def test_a_long_hook_is_shortened_at_a_word() -> None:
    line = pointer_line(TERSE._replace(hook="many words " * 30))
    assert len(line) <= LINE_CHARACTERS
    assert line.endswith(("many…", "words…"))


def test_a_long_title_and_a_long_path_leave_a_usable_line() -> None:
    assert len(pointer_line(Pointer("t" * 400, "feedback_terse.md", "hook"))) <= LINE_CHARACTERS
    long = Pointer("A title", f"{'deep/' * 40}x.md", "hook")
    assert pointers(pointer_line(long))[0][1].file == long.file


@pytest.mark.parametrize(
    ("title", "hook"),
    [
        ("a [b] c", "see [x](y.md)"),
        ("](evil.md) — x", "-->"),
        ("back\\slash\\", "two  spaces"),
        ("new\nline", "new\r\nline"),
        ("nul\0 and \x1b[31m", "u\u2028v\x85w"),
        ("", ""),
        (" ", " "),
    ],
)
def test_words_cannot_break_out_of_their_line(title: str, hook: str) -> None:
    line = pointer_line(Pointer(title, "real.md", hook))
    assert [pointer.file for _, pointer in pointers(line)] == ["real.md"]
    assert line.isprintable()
    assert "-->" not in line


@given(made)
def test_what_is_written_is_read_back(pointer: Pointer) -> None:
    line = pointer_line(pointer)
    [(number, read)] = pointers(line)
    assert (number, read.file) == (0, pointer.file)
    assert targets(line) == (pointer.file,)
    assert pointers(pointer_line(pointer, below=True), below=True) == [(0, read)] or len(line) > 140
    assert len(line) <= max(LINE_CHARACTERS, len(pointer_line(Pointer("x" * 12, pointer.file))))
    assert pointer_line(read) == line, "what was shortened once is not shortened again"


WRITINGS = [
    ("- [T](f.md) — hook", Pointer("T", "f.md", "hook")),
    ("* [T](f.md) – hook", Pointer("T", "f.md", "hook")),
    ("+ [T](f.md) - hook", Pointer("T", "f.md", "hook")),
    ("- [T](f.md): hook", Pointer("T", "f.md", "hook")),
    ("- [T](f.md) -- hook", Pointer("T", "f.md", "hook")),
    ("- [T](f.md) hook", Pointer("T", "f.md", "hook")),
    ("- [T](f.md)", Pointer("T", "f.md")),
    ("- [T](f.md)\r", Pointer("T", "f.md")),
    ("- [T](f.md) — hook\r", Pointer("T", "f.md", "hook")),
    ("   -   [T](f.md)", Pointer("T", "f.md")),
    ("\t* [T](f.md)", Pointer("T", "f.md")),
    ("1. [T](f.md)", Pointer("T", "f.md")),
    ("- [x] [T](f.md)", Pointer("T", "f.md")),
    ("- **[T](f.md)**: hook", Pointer("T", "f.md", "hook")),
    ("- [T](<my file.md>)", Pointer("T", "my file.md")),
    ("- [T](my%20file.md)", Pointer("T", "my file.md")),
    ("- [T](my file.md)", Pointer("T", "my file.md")),
    ("- [T](./f.md)", Pointer("T", "f.md")),
    ("- [T](a/./b//f.md)", Pointer("T", "a/b/f.md")),
    ("- [T](f.md#part)", Pointer("T", "f.md")),
    ('- [T](f.md "more") — hook', Pointer("T", "f.md", "hook")),
    ("- [T](x(1).md)", Pointer("T", "x(1).md")),
    ("- [T](user\\_role.md)", Pointer("T", "user_role.md")),
    ("- [T \\[1\\]](f.md)", Pointer("T [1]", "f.md")),
    ("- [T [1]](f.md)", Pointer("T [1]", "f.md")),
    ("- [T](%FF.md)", Pointer("T", "\udcff.md")),
    ("- [T](f%0A.md)", Pointer("T", "f\n.md")),
    ("- [T](100%.md)", Pointer("T", "100%.md")),
    ("- [T](ü/é.md)", Pointer("T", "ü/é.md")),
]


def test_however_it_is_written_a_pointer_is_read() -> None:
    wrong = [
        (line, found)
        for line, wish in WRITINGS
        for found in [(on_row(pointers, f"# Head\n{line}\n"), on_row(targets, line))]
        if found != ([(1, wish)], (wish.file,))
    ]
    assert not wrong, str(wrong)


ELSEWHERE = [
    "[T](f.md)",
    "Text with [T](f.md) inside",
    "- [T](http://example.com/f.md)",
    "- [T](mailto:f.md)",
    "- [T](C:/f.md)",
    "- [T](/abs/f.md)",
    "- [T](../f.md)",
    "- [T](a/../../f.md)",
    "- [T](%2e%2e/f.md)",
    "- [T](f.pdf)",
    "- [T](#part)",
    "- [T]()",
    "- [T][f.md]",
    "- T (f.md)",
    "-[T](f.md)",
    "- [T](f%00.md)",
    "- [T(f.md)",
    "- [[T]](f.md",
]


def test_what_leads_elsewhere_is_no_pointer() -> None:
    wrong = [
        (line, found)
        for line in ELSEWHERE
        if (found := (on_row(pointers, line), on_row(targets, line))) != ([], ("",))
    ]
    assert not wrong, str(wrong)


def test_a_list_one_folder_down_may_name_the_folder_above() -> None:
    assert targets("- [A](../a.md)\n- [B](b.md)\n- [C](../../c.md)", below=True) == ("a.md", "b.md", "")


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("```", "```"), ("~~~~ text", "~~~~~"), ("<!--", "-->"), ("- ```md", "  ```"), ("> ```", "> ```")],
)
def test_code_and_comments_hide_pointers_only_when_closed(opening: str, closing: str) -> None:
    assert pointers(f"{opening}\n- [A](a.md)\n{closing}\n- [B](b.md)") == [(3, Pointer("B", "b.md"))]
    assert targets(f"{opening}\n- [A](a.md)\n- [B](b.md)") == ("", "a.md", "b.md")


def test_a_new_pointer_follows_the_last_one() -> None:
    text = f"# Memory\n\n{TERSE_LINE}\n  its detail\n\nClosing words.\n"
    expected = f"# Memory\n\n{TERSE_LINE}\n  its detail\n{pointer_line(BUN)}\n\nClosing words.\n"
    assert with_pointer(text, BUN) == expected


def test_a_new_pointer_stands_before_the_hubs() -> None:
    text = f"{TERSE_LINE}\n{pointer_line(HUB)}\n"
    assert with_pointer(text, BUN) == f"{TERSE_LINE}\n{pointer_line(BUN)}\n{pointer_line(HUB)}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "{}\n"),
        ("\n\n", "{}\n"),
        ("Words", "Words\n\n{}"),
        ("Words\n", "Words\n\n{}\n"),
        ("Words\n\n", "Words\n\n{}\n"),
        ("Words\r\n", "Words\r\n\r\n{}\r\n"),
        ("- [A](a.md)", "- [A](a.md)\n{}"),
        ("- [A](a.md)\r\n", "- [A](a.md)\r\n{}\r\n"),
        ("- [A](a.md)\r\nWords", "- [A](a.md)\r\n{}\r\nWords"),
    ],
)
def test_line_ends_stay_as_they_are(text: str, expected: str) -> None:
    assert with_pointer(text, TERSE) == expected.format(TERSE_LINE)


def test_our_own_line_is_replaced_where_it_stands() -> None:
    newer = TERSE._replace(hook="not even a closing sentence")
    text = f"{TERSE_LINE}\r\n{pointer_line(BUN)}\r\n"
    assert with_pointer(text, newer, previous=TERSE) == f"{pointer_line(newer)}\r\n{pointer_line(BUN)}\r\n"


def test_a_persons_wording_of_a_pointer_stays() -> None:
    text = "* [Terse!](feedback_terse.md): I mean it\n"
    assert with_pointer(text, TERSE, previous=TERSE) == text
    assert with_pointer(text, TERSE) == text


def test_a_renamed_file_keeps_its_place_and_its_wording() -> None:
    moved = TERSE._replace(file="feedback_short (new).md")
    assert with_pointer(f"{TERSE_LINE}\n", moved, previous=TERSE) == f"{pointer_line(moved)}\n"
    own = "* [Terse!](<feedback_terse.md>): I mean it\n"
    assert with_pointer(own, moved, previous=TERSE) == own.replace("terse.md", "short%20%28new%29.md")


def test_forgotten_files_lose_their_lines_and_nothing_else() -> None:
    text = f"# Memory\n{TERSE_LINE}\nsee [bun](project_bun.md)\n{pointer_line(BUN)}\n"
    assert without(text, {BUN.file, "absent.md"}) == f"# Memory\n{TERSE_LINE}\nsee [bun](project_bun.md)\n"


def test_no_half_line_end_is_left_behind() -> None:
    assert without("# Memory\r\n- [A](a.md)", {"a.md"}) == "# Memory"
    text = "# Memory\r\nWords\r\n- [A](a.md)"
    assert healed(text, [TERSE]) == f"# Memory\r\nWords\r\n\r\n{TERSE_LINE}"


@given(texts, made)
def test_adding_and_dropping_leaves_every_other_line(text: str, pointer: Pointer) -> None:
    found = targets(text)
    after = without(with_pointer(text, pointer), {pointer.file})
    lines = zip(text.split("\n"), found, strict=True)
    before = [line.rstrip("\r") for line, file in lines if file != pointer.file]
    left = [line.rstrip("\r") for line in after.split("\n")]
    assert [line for line in left if line.strip()] == [line for line in before if line.strip()]


def test_healing_adds_drops_and_unites() -> None:
    text = f"# Mine\n{TERSE_LINE}\n- [Gone](gone.md)\n\nWords.\n{TERSE_LINE}\n- [Hub](hubs/user-1.md)\n"
    mended = f"# Mine\n{TERSE_LINE}\n{pointer_line(BUN)}\n{pointer_line(HUB)}\n\nWords.\n"
    assert healed(text, [TERSE, BUN, HUB]) == mended
    rest = prune(text, {TERSE.file, BUN.file, HUB.file}.__contains__)
    assert (rest.dropped, rest.duplicates) == (("gone.md", "hubs/user-1.md"), (TERSE.file,))


def test_a_missing_index_becomes_pointers_alone() -> None:
    assert healed("", [TERSE, BUN]) == f"{TERSE_LINE}\n{pointer_line(BUN)}\n"
    assert healed("", []) == ""
    assert healed("\0" * 4096, [TERSE]) == f"{TERSE_LINE}\n"


def test_both_sides_of_a_conflict_survive_once() -> None:
    text = (
        f"Title\n=======\n\n<<<<<<< HEAD\n{TERSE_LINE}\nmy words\n||||||| base\n=======\n"
        f"{pointer_line(BUN)}\n{TERSE_LINE}\ntheir words\n>>>>>>> theirs\n"
    )
    assert (
        healed(text, [TERSE, BUN]) == f"Title\n\n{TERSE_LINE}\nmy words\n{pointer_line(BUN)}\ntheir words\n"
    )


def test_a_heading_underlined_with_seven_signs_is_no_conflict() -> None:
    assert healed(f"Memory\n=======\n{TERSE_LINE}\n", [TERSE]) == f"Memory\n=======\n{TERSE_LINE}\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_frontmatter_does_not_belong_in_an_index(end: str) -> None:
    head = end.join(["---", "name: index", "metadata:", "  type: user", "tags:", "  - a", "---", ""])
    assert healed(f"{head}{TERSE_LINE}{end}", [TERSE]) == f"{TERSE_LINE}{end}"


@pytest.mark.parametrize(
    "text",
    [
        "---\nSome words between two rules\n---\n",
        "---\n\n---\n",
        "---\nname: never closed\n",
        "--- \n```\nname: x\n---\n```\n",
        "----\nname: x\n----\n",
    ],
)
def test_rules_and_words_on_top_are_not_frontmatter(text: str) -> None:
    assert healed(text, []) == text


def test_lines_that_come_to_stand_on_top_are_not_frontmatter() -> None:
    assert healed("- [Gone](gone.md)\n---\nNote: keep me\n---\n", []) == "\n---\nNote: keep me\n---\n"


@given(texts, expectations)
@example("---\na: b\n---\n---\na: b\n---", [])
@example("<!--\n- [A](a.md)\n", [Pointer("A", "a.md", "x --> y")])
@example("- [A](a.md)\n  ```\nx\n  ```\n", [Pointer("A", "a.md"), Pointer("B", "b.md")])
def test_healing_gives_each_memory_one_pointer_and_then_rests(text: str, expected: list[Pointer]) -> None:
    result = healed(text, expected)
    found = [pointer.file for _, pointer in pointers(result)]
    assert sorted(found) == sorted(pointer.file for pointer in expected)
    assert healed(result, expected) == result
    rest = prune(result, set(found).__contains__)
    assert (rest.text, list(rest.present), rest.dropped, rest.duplicates) == (result, found, (), ())


@given(texts, expectations)
def test_healing_keeps_every_line_of_prose_in_order(text: str, expected: list[Pointer]) -> None:
    if re.search(r"<{7}|>{7}", text) or text.lstrip("\0\ufeff").startswith("---"):
        return
    assert only_prose(healed(text, expected)) == only_prose(text.replace("\0", "").replace("\ufeff", ""))


@given(texts, expectations)
def test_healing_keeps_the_order_of_what_is_there(text: str, expected: list[Pointer]) -> None:
    wanted = {pointer.file for pointer in expected}
    before = list(dict.fromkeys(p.file for _, p in pointers(healed(text, expected)) if p.file in wanted))
    there = [file for file in dict.fromkeys(p.file for _, p in pointers(text)) if file in wanted]
    assert (
        [file for file in before if file in there] == there or "<<<" in text or "\0" in text or "---" in text
    )


@given(st.text(), expectations)
def test_no_text_is_too_damaged_to_heal(text: str, expected: list[Pointer]) -> None:
    assert len(pointers(healed(text, expected))) == len(expected)


def test_nothing_new_changes_nothing() -> None:
    assert append_pointers("any\ntext", []) == "any\ntext"


def test_the_work_on_open_fences_grows_with_their_lines_alone() -> None:
    fences, number = "".join("`" * length + " x\n" for length in range(3, 403)), count()

    def heal(text: str) -> None:
        fresh = f"{next(number)}\n{text}"  # what was read before is remembered
        assert healed(fresh, [TERSE]).endswith(f"{TERSE_LINE}\n")

    assert grows_with_the_text(heal, fences, 8 * len(fences))
