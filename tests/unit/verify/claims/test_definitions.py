"""A line that defines a name is told by its look, in most languages; uses, imports and comments are not."""

import pytest
from tests.tables import on_row

from memdir.verify.claims.definitions import defined_line, defined_names, may_define

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
