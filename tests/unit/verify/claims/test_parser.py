"""What a memory claims about its project is found by rules, and ordinary words are left alone."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import grows_with_the_text

from memdir.verify.anchors import parse_anchors
from memdir.verify.claims.dates import date_claims
from memdir.verify.claims.definitions import defined_names, may_define
from memdir.verify.claims.parser import MAX_CLAIMS, claims_in

SAVED = date(2026, 4, 1)


def sure(text: str) -> list[tuple[str, str]]:
    return [(claim.kind, claim.text) for claim in claims_in(text) if claim.sure and not claim.absent]


@pytest.mark.parametrize(
    "text",
    [
        "Look at `src/app.py`.",
        "Look at src/app.py, then stop.",
        'It is in "src/app.py".',
        "It is (src/app.py).",
        "**src/app.py** decides.",
        "[the app](src/app.py) decides",
        "src/app.py's job",
        "```\ncat src/app.py\n```\n",
        "在src/app.py里",
        "path:\tsrc/app.py|",
    ],
)
def test_a_path_is_found_in_whatever_way_it_is_written(text: str) -> None:
    assert ("path", "src/app.py") in sure(text)


@pytest.mark.parametrize(
    "text",
    [
        "see src/app.py:42",
        "see `src/app.py:42-50`",
        "see `src/app.py`, line 42",
        "see src/app.py (line 42)",
        "lines 42-44 of `src/app.py`",
        "see src/app.py#L42",
    ],
)
def test_a_line_is_found_in_whatever_way_it_is_written(text: str) -> None:
    assert sure(text) == [("line", "src/app.py:42")]


@pytest.mark.parametrize(
    "text",
    [
        "https://example.com/blob/main/src/app.py",
        "`https://example.com/src/app.py#L4`",
        "[code](https://example.com/src/app.py)",
        "<https://example.com/src/app.py>",
        "docs.example.com/src/app.py",
        "localhost:8000/src/app.py",
        "git@example.com:team/src/app.py",
        "www.example.com/src/app.py",
    ],
)
def test_a_path_inside_an_address_is_no_claim(text: str) -> None:
    assert [claim for claim in claims_in(text) if claim.owner != "port"] == []


@pytest.mark.parametrize(
    "text",
    [
        "We removed `src/app.py`.",
        "`src/app.py` was deleted in May.",
        "`src/app.py` no longer exists.",
        "Formerly in src/app.py.",
        "We use ruff instead of `src/app.py`.",
        "Removed `a.py`, `b.py` and `src/app.py`.",
    ],
)
def test_what_a_memory_tells_as_past_is_no_claim(text: str) -> None:
    assert sure(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "`src/app.py` was deleted on purpose and should not come back.",
        "We deliberately removed `src/app.py`; do not create src/app.py again.",
        "Never bring back the file `src/app.py`.",
        "`src/app.py` stays deleted.",
        "`src/app.py` wurde absichtlich gelöscht.",
        "Wir haben `src/app.py` bewusst entfernt.",
        "`src/app.py` gibt es nicht mehr.",
        "`src/app.py` a été volontairement supprimé.",
        "Nous avons supprimé le fichier `src/app.py`.",
        "`src/app.py` n'existe plus.",
        "`src/app.py` fue eliminado a propósito.",
        "Hemos borrado el archivo `src/app.py`.",
        "`src/app.py` ya no existe.",
        "`src/app.py` 已被删除，不要恢复。",
        "我们删除了 `src/app.py`。",
    ],
)
def test_what_a_memory_tells_as_removed_is_claimed_to_be_absent(text: str) -> None:
    assert [(one.text, one.absent) for one in claims_in(text)] == [("src/app.py", True)]


@pytest.mark.parametrize(
    "text",
    [
        "`src/app.py` is deleted on every start.",
        "`src/app.py` darf nicht gelöscht werden.",
        "Wir haben `src/app.py` nicht gelöscht.",
        "`src/app.py` wird beim Bauen gelöscht.",
        "Il ne faut pas supprimer `src/app.py`.",
        "No borrar `src/app.py`.",
        "不要删除 `src/app.py`。",
    ],
)
def test_what_must_stay_or_goes_by_habit_is_claimed_to_be_there(text: str) -> None:
    assert sure(text) == [("path", "src/app.py")]


def test_a_command_that_prose_tells_as_removed_is_no_claim() -> None:
    assert claims_in("We removed make deploy last week.") == []
    assert [claim.target for claim in claims_in("Run make deploy every week.")] == ["deploy"]


def test_a_command_says_where_it_runs() -> None:
    text = "`make -C web clean`, `cd api && npm run lint`, `pnpm --filter=@x/ui build`, `make all`"
    commands = [claim for claim in claims_in(text) if claim.kind == "command"]
    assert [claim.place for claim in commands] == ["web", "api", "@x/ui", ""]


def test_what_took_the_place_of_something_past_is_a_claim() -> None:
    assert sure("`old.py` was renamed to `new.py`.") == [("path", "new.py")]
    assert sure("Never delete `src/app.py`.") == [("path", "src/app.py")]
    assert sure("`src/app.py` must not be removed.") == [("path", "src/app.py")]


@pytest.mark.parametrize("text", ["src/<name>.py", "src/${X}/a.py", "src/{a,b}.py", "1/2", "2026/04/01"])
def test_what_stands_for_many_paths_or_none_is_no_claim(text: str) -> None:
    assert sure(f"Look at `{text}`.") == []


def test_symbols_are_names_in_backticks_or_with_parentheses() -> None:
    text = "`parse_config` calls readAll() and `Store.open(path)`; `MAX_SIZE` holds. The word config is none."
    names = {(claim.target, claim.owner) for claim in claims_in(text) if claim.kind == "symbol"}
    assert names == {("parse_config", ""), ("readAll", ""), ("open", "Store"), ("MAX_SIZE", "")}


@pytest.mark.parametrize("text", ["`__init__`", "`true`", "`x`", "`_`", "`None`", "file(s)", "`int`"])
def test_names_that_mean_nothing_in_particular_are_no_symbols(text: str) -> None:
    assert claims_in(text) == []


@pytest.mark.parametrize(
    ("text", "runner", "names"),
    [
        ("`npm run build`", "package", ["build"]),
        ("`npm test`", "package", ["test"]),
        ("`pnpm --filter web lint`", "package", ["lint"]),
        ("`yarn workspace web build`", "package", ["build"]),
        ("`npm install left-pad`", "package", []),
        ("`make -C sub -j4 CC=gcc test install`", "make", ["test", "install"]),
        ("run make test, please", "make", ["test"]),
        ("```sh\n$ cd x && just deploy now\n```", "just", ["deploy"]),
        ("`uv run serve`", "python", ["serve"]),
        ("`cargo xtask`", "cargo", ["xtask"]),
    ],
)
def test_commands_are_what_the_project_defines(text: str, runner: str, names: list[str]) -> None:
    found = [claim for claim in claims_in(text) if claim.kind == "command"]
    assert [claim.target for claim in found] == names
    assert {claim.owner for claim in found} <= {runner}


def test_words_of_prose_are_never_sure() -> None:
    assert sure("Make sure that client/server and/or TCP/IP work in Node.js; the user is a GitHub fan.") == []


def test_a_member_of_a_class_is_a_symbol_in_prose() -> None:
    (claim,) = claims_in("Every refund passes LedgerWriter.post, see the wiki.")
    assert (claim.target, claim.owner, claim.sure, claim.bare) == ("post", "LedgerWriter", False, True)
    assert claims_in("Every refund passes Ledger.post and e.g. nothing else.") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The `arrow` library parses dates.", ["arrow"]),
        ("We depend on `@acme/icons` and `zod`.", ["@acme/icons", "zod"]),
        ("The `arrow` parser is slow.", []),
        ("Never use the `arrow` library here.", []),
        ("Don't add packages such as `arrow`.", []),
    ],
)
def test_a_dependency_is_told_by_its_sentence(text: str, found: list[str]) -> None:
    assert [claim.target for claim in claims_in(text) if claim.owner == "dependency"] == found


def test_a_listing_is_not_checked_to_its_end() -> None:
    assert len(claims_in("\n".join(f"`src/a{number}.py`" for number in range(500)))) == MAX_CLAIMS


@given(st.text())
def test_any_text_has_claims_or_none(text: str) -> None:
    assert all(claim.text for claim in claims_in(text))
    assert all(claim.kind == "date" for claim in date_claims(text, None, SAVED))
    assert not parse_anchors(text).prints or text
    assert all(name.isidentifier() for name in defined_names(text, "a.py"))


@pytest.mark.parametrize(
    "unit", ["`a", "a/", "((", "[](", "make ", "@get", "a.b", "~~~\n", "x::", "removed "]
)
def test_time_grows_with_the_text_alone(unit: str) -> None:
    assert grows_with_the_text(claims_in, unit, 60_000)
    assert grows_with_the_text(lambda text: defined_names(text, "a.ts"), unit, 60_000)
    assert grows_with_the_text(lambda text: may_define(f"{text}foo(", "foo"), unit, 60_000)
