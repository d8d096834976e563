"""Two versions of a memory become one that holds what both sides changed, or they are in conflict."""

from hypothesis import given
from hypothesis import strategies as st
from tests.growth import grows_with_the_text

from memdir.sync.merge import MergeConflict, merge

HEADER = (
    '---\nname: "bun"\ndescription: "Use bun"\ntype: "feedback"\nmetadata:\n'
    '  session: "s1"\n  created: "2026-01-01"\n  modified: "2026-01-01"\n---\n'
)
BASE = f"{HEADER}\nFirst.\n\nSecond.\n\nThird.\n"

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "", "- x", "---"]), max_size=8)
BODIES = WORDS.map("\n".join)
KEYS = st.dictionaries(st.sampled_from(["name", "description", "x"]), st.sampled_from("123"), max_size=3)
HEADERS = KEYS.map(
    lambda keys: "---\n" + "".join(f'{k}: "{v}"\n' for k, v in keys.items()) + "---\n" if keys else ""
)
TEXTS = st.builds("{}{}".format, HEADERS, BODIES)


def changed(*pairs: tuple[str, str]) -> str:
    text = BASE
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def test_lines_that_each_side_changed_are_both_in_the_result() -> None:
    both = merge(BASE, changed(("First", "FIRST")), changed(("Third", "THIRD")))
    assert both == changed(("First", "FIRST"), ("Third", "THIRD"))


def test_paragraphs_that_both_sides_added_at_one_place_are_both_kept() -> None:
    assert merge(BASE, f"{BASE}\nOurs.\n", f"{BASE}\nTheirs.\n") == f"{BASE}\nOurs.\n\nTheirs.\n"


def test_a_line_that_both_sides_added_stands_there_once() -> None:
    ours, theirs = f"{BASE}- one\n- two\n", f"{BASE}- two\n- three\n"
    both = merge(BASE, ours, theirs)
    assert isinstance(both, str)
    assert [line for line in both.splitlines() if line.startswith("-") and line != "---"] == [
        "- one",
        "- two",
        "- three",
    ]


def test_the_same_line_changed_in_two_ways_is_a_conflict() -> None:
    conflict = merge(BASE, changed(("Second", "Two")), changed(("Second", "Zwei")))
    assert conflict == MergeConflict("both sides changed the same lines")


def test_a_line_that_one_side_changed_and_the_other_removed_is_a_conflict() -> None:
    assert isinstance(merge(BASE, changed(("Second", "Two")), changed(("Second.\n", ""))), MergeConflict)


def test_keys_of_the_header_are_merged_one_by_one() -> None:
    ours = changed(("Use bun", "Use bun, not npm"))
    theirs = changed(('type: "feedback"', 'type: "project"'))
    assert merge(BASE, ours, theirs) == changed(
        ("Use bun", "Use bun, not npm"), ('type: "feedback"', 'type: "project"')
    )


def test_a_key_changed_in_two_ways_is_a_conflict_that_names_it() -> None:
    conflict = merge(BASE, changed(("Use bun", "a")), changed(("Use bun", "b")))
    assert conflict == MergeConflict("both sides changed `description` in the header")


def test_keys_that_memdir_writes_never_conflict() -> None:
    ours = changed(('modified: "2026-01-01"', 'modified: "2026-03-01"'), ('"s1"', '"s2"'), ("First", "1st"))
    theirs = changed(('modified: "2026-01-01"', 'modified: "2026-02-01"'), ('"s1"', '"s3"'), ("Third", "3rd"))
    both = merge(BASE, ours, theirs)
    assert isinstance(both, str)
    assert 'modified: "2026-03-01"' in both
    assert 'session: "s2"' in both


def test_a_new_key_of_each_side_is_kept() -> None:
    ours = changed(('type: "feedback"\n', 'type: "feedback"\ncolour: red\n'))
    theirs = changed(('  created: "', '  pinned: "true"\n  created: "'))
    both = merge(BASE, ours, theirs)
    assert isinstance(both, str)
    assert "\ncolour: red\n" in both
    assert '\n  pinned: "true"\n' in both


def test_without_a_base_only_equal_bodies_are_merged() -> None:
    assert isinstance(merge(None, BASE, changed(("First", "1st"))), MergeConflict)
    later = changed(('modified: "2026-01-01"', 'modified: "2026-02-01"'))
    assert merge(None, BASE, later) == later


def test_a_header_that_is_no_list_of_keys_is_merged_only_where_one_side_changed_it() -> None:
    odd = "---\n# a comment\nname: x\nname: y\n---\nBody\n"
    assert merge(odd, odd.replace("# a", "# the"), f"{odd}more\n") == f"{odd}more\n".replace("# a", "# the")
    assert isinstance(merge(odd, odd.replace("# a", "# b"), odd.replace("# a", "# c")), MergeConflict)


def test_the_work_on_many_equal_lines_grows_with_the_text_alone() -> None:
    assert grows_with_the_text(lambda text: merge(text, f"a{text}", f"{text}b"), "\n", 2_000)


def test_texts_of_more_lines_than_any_memory_has_are_not_compared() -> None:
    page, book = ("".join(f"{number}\n" for number in range(lines)) for lines in (4_000, 5_000))
    assert merge(page, f"a\n{page}", f"{page}b\n") == f"a\n{page}b\n"
    assert merge(book, f"a\n{book}", f"{book}b\n") == MergeConflict("both sides changed the same lines")


@given(TEXTS, TEXTS)
def test_what_only_one_side_changed_is_taken_as_it_is(base: str, text: str) -> None:
    assert merge(base, text, text) == text
    assert merge(base, base, text) == text
    assert merge(base, text, base) == text


@given(TEXTS, TEXTS, TEXTS)
def test_the_sides_may_be_exchanged(base: str, ours: str, theirs: str) -> None:
    assert merge(base, ours, theirs) == merge(base, theirs, ours)


@given(BODIES, st.lists(st.tuples(st.booleans(), st.integers(0, 8))), st.booleans())
def test_no_new_line_is_lost_without_a_conflict(
    base: str, inserts: list[tuple[bool, int]], cut: bool
) -> None:
    sides = [base.split("\n"), base.split("\n")]
    for number, (side, place) in enumerate(inserts):
        sides[side].insert(min(place, len(sides[side])), f"new {number}")
    if cut and sides[0]:
        sides[0].pop(0)
    both = merge(base, *("\n".join(lines) for lines in sides))
    if isinstance(both, str):
        assert all(
            f"new {number}" in both.split("\n") for number in range(len(inserts)) if _kept(sides, number)
        )


def _kept(sides: list[list[str]], number: int) -> bool:
    return any(f"new {number}" in lines for lines in sides)


@given(TEXTS, TEXTS, TEXTS)
def test_merging_once_more_changes_nothing(base: str, ours: str, theirs: str) -> None:
    both = merge(base, ours, theirs)
    if isinstance(both, str):
        assert merge(base, both, both) == both
        again = merge(theirs, both, theirs)
        assert again == both
