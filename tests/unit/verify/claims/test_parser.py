"""What a memory claims about its project is found by rules, and ordinary words are left alone."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import grows_with_the_text
from tests.tables import on_row

from memdir.text.frontmatter.header import parse, render_header
from memdir.verify.anchors import anchor_value, line_print, parse_anchors
from memdir.verify.claims.dates import date_claims
from memdir.verify.claims.definitions import defined_line, defined_names, may_define
from memdir.verify.claims.mentions import Claim
from memdir.verify.claims.parser import MAX_CLAIMS, claims_in
from memdir.verify.claims.scripts import lost_words, scripts_in

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


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Freeze until 2026-05-31.", [date(2026, 5, 31)]),
        ("Launch: 15 June 2026", [date(2026, 6, 15)]),
        ("We decided that on 2026-02-01.", []),
        ("The deadline is 2026-03-01.", [date(2026, 3, 1)]),
        ("It was due on 2026-03-01.", []),
        ("Supported until the end of Q2 2026", [date(2026, 6, 30)]),
        ("Done by March 2027", [date(2027, 3, 31)]),
        ("by December 2026", [date(2026, 12, 31)]),
        ("See logs/2027-01-01.md and https://example.com/2027-01-01", []),
        ("due `2026-05-01`", [date(2026, 5, 1)]),
    ],
)
def test_dates_that_a_memory_looks_forward_to_are_claims(text: str, days: list[date]) -> None:
    assert [claim.day for claim in date_claims(text, "", SAVED)] == days


def test_the_day_on_which_a_memory_expires_is_a_claim() -> None:
    assert [claim.day for claim in date_claims("", "2026-01-31", SAVED)] == [date(2026, 1, 31)]
    assert date_claims("", "someday", SAVED) == []


DEFINING = [
    "def foo(x):",
    "    async def foo(self):",
    "class foo(Bar):",
    "foo = 3",
    "foo: int = 3",
    "export const foo = () => {",
    "  async foo(id: string): Promise<User> {",
    "func (s *Server) foo(w http.ResponseWriter) error {",
    "pub(crate) fn foo<T>(x: T) -> u8 {",
    "foo() {",
    "export foo=bar",
    "public static int foo(int a) throws X {",
    "int foo(void)",
    "\tfoo Kind = iota",
    '  "foo": 3,',
    "type foo struct {",
    "#define foo 3",
    "macro_rules! foo {",
]
USING = [
    "from x import foo",
    "import { foo } from './x'",
    "import type foo from './x'",
    "x = foo(3)",
    "return foo(x)",
    "foo(3)",
    "const foo = require('./foo')",
    "foo('a', function() {",
    "if foo(x) {",
    "defer foo()",
    "use crate::x::foo;",
    "foo == 3",
    "foo.bar = 3",
    "foobar = 3",
]


def test_a_definition_is_known_by_its_look() -> None:
    wrong = [line for line in DEFINING if not on_row(may_define, line, "foo")]
    assert not wrong, "\n".join(map(repr, wrong))


@pytest.mark.parametrize("line", USING)
def test_a_use_or_an_import_is_no_definition(line: str) -> None:
    assert not may_define(line, "foo")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "# def foo():\n"),
        ("a.py", '"""\ndef foo():\n"""\n'),
        ("a.ts", "/*\nfunction foo() {\n}\n*/\n"),
        ("a.go", "// func foo() {\n"),
        ("a.sql", "-- CREATE TABLE foo\n"),
        ("a.md", "def foo():\n"),
    ],
)
def test_a_comment_defines_nothing(path: str, text: str) -> None:
    assert defined_line(text, path, "foo") == 0


def test_a_sign_of_comment_inside_a_string_is_none() -> None:
    assert defined_line("x = '//'; y = \"/*\"\nfunction foo() {\n}\n", "a.js", "foo") == 2
    assert defined_names("def one(): pass\nTWO = 2\n", "a.py") == {"one", "TWO"}


def test_scripts_are_read_from_every_manifest() -> None:
    assert scripts_in('{"scripts": {"build": "vite"}}', "package") == {"build": "vite"}
    assert scripts_in("a: b\n\tcc x\n\nV := 1\nb:\n\techo\n", "make") == {"a": "b\ncc x", "b": "echo"}
    assert scripts_in("go version: test\n    tool {{version}}\n", "just") == {"go": "test\ntool {{version}}"}
    assert scripts_in('[project.scripts]\nx = "a:b"\n', "python") == {"x": "a:b"}
    assert scripts_in('[alias]\nx = ["run", "-p", "x"]\n', "cargo") == {"x": "run -p x"}


@pytest.mark.parametrize("text", ["{", "[]", '{"scripts": 3}', '{"scripts": []}', "= =", "[[[" * 9999])
@pytest.mark.parametrize("runner", ["package", "make", "just", "python", "cargo"])
def test_a_broken_manifest_defines_nothing(text: str, runner: str) -> None:
    assert scripts_in(text, runner) == {}


def test_a_script_that_lost_a_word_does_something_else() -> None:
    assert lost_words("jest", "vitest run") == ["jest"]
    assert lost_words("eslint src", "eslint src --max-warnings 0") == []
    assert lost_words("pytest -q tests", "pytest -n 2 tests") == []
    assert lost_words("tool --env=staging", "tool --env=production") == ["staging"]
    assert lost_words("tool --env staging", "tool --env production") == ["staging"]


def test_a_script_that_names_a_folder_in_place_of_all_files_does_what_it_did() -> None:
    assert lost_words("mypy --strict .", "mypy --strict server") == []
    assert lost_words("staticcheck ./...", "staticcheck ./internal/...") == []
    assert lost_words("mypy .", "pyright .") == ["mypy"]


def test_a_recipe_may_have_parameters_with_defaults() -> None:
    text = """\
stage := "a:b"
export URL := 'http://x:1'
alias w := watch
watch dir="a:b" +rest='': prepare
    entr {{dir}}
prepare mode=`uname` level=(stage + ":"):
    true
"""
    assert scripts_in(text, "just") == {"watch": "prepare\nentr {{dir}}", "prepare": "\ntrue"}


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


def test_anchors_come_back_from_a_header_as_they_went_in() -> None:
    claim, other = Claim("path", "a", 'a b/ü"\\.py'), Claim("symbol", "f()", "f")
    value = anchor_value("9fceb02d0ae5f00", {claim: "5e884898", other: 'src/ö "x"\\y.py'})
    header = render_header({"name": "x"}, {"anchors": value})
    assert value.isascii()
    assert "\\" not in header
    read = parse_anchors(parse(header).metadata["anchors"])
    assert (read.commit, read.of(claim), read.of(other)) == ("9fceb02d0ae5", "5e884898", 'src/ö "x"\\y.py')


def test_a_line_of_few_signs_is_known_by_its_neighbours() -> None:
    lines = ["a {", "}", "b {", "}"]
    assert line_print(lines, 2) != line_print(lines, 4)
    assert line_print(["  x = 1"], 1) == line_print(["x = 1"], 1)


def test_a_listing_is_not_checked_to_its_end() -> None:
    assert len(claims_in("\n".join(f"`src/a{number}.py`" for number in range(500)))) == MAX_CLAIMS


@given(st.text())
def test_any_text_has_claims_or_none(text: str) -> None:
    assert all(claim.text for claim in claims_in(text))
    assert all(claim.kind == "date" for claim in date_claims(text, text, SAVED))
    assert not parse_anchors(text).prints or text
    assert all(name.isidentifier() for name in defined_names(text, "a.py"))


@pytest.mark.parametrize(
    "unit", ["`a", "a/", "((", "[](", "make ", "@get", "a.b", "~~~\n", "x::", "removed "]
)
def test_time_grows_with_the_text_alone(unit: str) -> None:
    assert grows_with_the_text(claims_in, unit, 60_000)
    assert grows_with_the_text(lambda text: defined_names(text, "a.ts"), unit, 60_000)
    assert grows_with_the_text(lambda text: may_define(f"{text}foo(", "foo"), unit, 60_000)


@pytest.mark.parametrize("unit", ["a", "a ", "./a/", "a:=", "a:\n"])
def test_a_long_line_of_a_makefile_costs_no_more_than_its_length(unit: str) -> None:
    assert grows_with_the_text(lambda text: scripts_in(text, "make"), unit, 60_000)
