"""The globs of a rule mean what they mean in a .gitignore, after brace expansion and whatever the case."""

import subprocess
import sys

import pytest
from tests.tables import on_row

from memdir.text.globs import Globs, PathGlobs, globs_in

TABLE = [
    # one name, anywhere
    ("*.py", "a.py", True),
    ("*.py", "src/deep/a.py", True),
    ("*.py", "a.pyc", False),
    ("Makefile", "sub/Makefile", True),
    ("Makefile", "Makefile.am", False),
    ("docs", "docs/a/b.md", True),
    ("docs", "src/docs/a.md", True),
    # a slash anchors
    ("src/*.py", "src/a.py", True),
    ("src/*.py", "src/sub/a.py", False),
    ("src/*.py", "lib/src/a.py", False),
    ("/a.md", "a.md", True),
    ("/a.md", "sub/a.md", False),
    ("src/", "src/a.py", True),
    ("src/", "lib/src/a.py", True),
    ("src/", "src", False),
    # two stars
    ("src/**/*.py", "src/a.py", True),
    ("src/**/*.py", "src/a/b/c.py", True),
    ("src/**/*.py", "lib/src/a.py", False),
    ("**/test/*.py", "test/a.py", True),
    ("**/test/*.py", "a/b/test/c.py", True),
    ("src/**", "src/a/b", True),
    ("src/**", "src", False),
    ("**", "any/thing", True),
    ("**/*", "thing", True),
    ("a/**/b/**/c", "a/x/b/y/z/c", True),
    ("a/**/b/**/c", "a/x/y/z/c", False),
    ("a**b", "a/b", False),
    # case does not count
    ("*.MD", "readme.md", True),
    ("src/*.ts", "SRC/A.TS", True),
    ("[A-C].md", "b.md", True),
    # one character, sets
    ("?.md", "a.md", True),
    ("?.md", "ab.md", False),
    ("?", "a/b", True),
    ("src?a", "src/a", False),
    ("[ab].md", "b.md", True),
    ("[!ab].md", "b.md", False),
    ("[!ab].md", "c.md", True),
    ("[[:digit:]].md", "7.md", True),
    ("[a/]b", "a/b", False),
    # braces
    ("*.{ts,tsx}", "src/a.tsx", True),
    ("*.{ts,tsx}", "src/a.js", False),
    ("{src,lib}/**/*.{ts,js}", "lib/x/a.js", True),
    ("{src,lib}/**/*.{ts,js}", "docs/a.js", False),
    ("file{1..3}.md", "file2.md", True),
    ("{a}", "{a}", True),
    # signs
    (r"\*.md", "*.md", True),
    (r"\*.md", "a.md", False),
    (r"\!a", "!a", True),
    ("a b", "a b", True),
    ("übersicht/*", "übersicht/a", True),
    # hidden files are files
    ("*", ".env", True),
    (".*/a", ".config/a", True),
    # nothing means nothing
    ("[", "[", False),
    ("a\\", "a", False),
    ("#a", "#a", False),
    ("../a", "a", False),
    ("./a", "a", False),
]


def matches(glob: str, path: str) -> bool:
    return Globs((glob,)).matches(path)


def test_a_glob_means_these_files() -> None:
    wrong = [
        (glob, path, found)
        for glob, path, wish in TABLE
        if (found := on_row(matches, glob, path)) is not wish
    ]
    assert not wrong, str(wrong)


@pytest.mark.parametrize(
    ("globs", "path", "expected"),
    [
        (("gen/**",), "a/gen/b", True),
        (("gen/**",), "gen", True),
        (("pkg/gen/**",), "pkg/gen/a/b", True),
        (("pkg/gen/**",), "a/pkg/gen/b", False),
        (("/gen/**",), "a/gen/b", False),
        (("{src,lib}/**",), "a/lib/b", True),
        (("*/**",), "a", True),
        (("*.{vue}",), "src/a.vue", True),
        (("{*.{vue}}",), "src/a.vue", True),
        (("{}",), "{}", True),
        (("{a,{b,c}}.md",), "c.md", True),
        (("file{1..3}.md",), "file2.md", False),
        (("file{1..3}.md",), "file1..3.md", True),
        (("src/**", "!src/a.ts"), "src/a.ts", True),  # the folder fits, and nothing in it comes back
        (("src/**/*.py", "!src/gen/**"), "src/gen/a.py", True),  # the folder is taken back, not what is in it
        (("src/**/*.py", "!src/gen/*"), "src/gen/a.py", False),
    ],
)
def test_the_paths_of_an_instruction_are_relaxed(
    globs: tuple[str, ...], path: str, *, expected: bool
) -> None:
    assert Globs(globs, relaxed=True).matches(path) is expected


def test_only_stars_restrict_nothing() -> None:
    assert not Globs(("**", "/**", "**/**"), relaxed=True).conditional
    assert Globs(("**", "/**/**"), relaxed=True).conditional
    assert Globs(("/**",)).conditional


@pytest.mark.parametrize(
    ("globs", "path", "expected"),
    [
        (("*.py", "!test_*.py"), "src/a.py", True),
        (("*.py", "!test_*.py"), "src/test_a.py", False),
        (("!test_*.py", "*.py"), "src/test_a.py", True),
        (
            ("src/**", "!src/gen/**"),
            "src/gen/a.py",
            True,
        ),  # the folder src/gen fits, and nothing in it comes back
        (("src/**/*.py", "!src/gen/**"), "src/gen/a.py", False),
        (("*", "!*.md"), "a.md", False),
        (("*", "!*.md"), "sub/a.md", True),
        (("*.{a,b}", "!x.{a,b}"), "x.b", False),
        (("[", "*.py"), "a.py", True),
    ],
)
def test_the_last_glob_that_fits_decides(globs: tuple[str, ...], path: str, *, expected: bool) -> None:
    assert Globs(globs).matches(path) is expected


@pytest.mark.parametrize("path", ["", "/a", "a/", "a//b", "../a", "a/../b", "./a", "."])
def test_what_is_not_a_path_below_the_folder_is_never_meant(path: str) -> None:
    assert not Globs(("**/*", "a", "*")).matches(path)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("src/**/*.ts", ["src/**/*.ts"]),
        ("a, b ,c", ["a", "b", "c"]),
        ("*.{ts,tsx}, lib/{a,{b,c}}/**", ["*.{ts,tsx}", "lib/{a,{b,c}}/**"]),
        ("\"a\", 'b'", ["a", "b"]),
        (" , ,", []),
        ("", []),
        (r"\{a, b", [r"\{a", "b"]),
        ("a}, b", ["a}", "b"]),
        ("!a, !b", ["!a", "!b"]),
    ],
)
def test_commas_split_globs_but_not_inside_braces(value: str, expected: list[str]) -> None:
    assert globs_in(value) == expected


@pytest.mark.parametrize(
    ("globs", "conditional"),
    [((), False), (("**",), False), (("**", "**"), False), (("**", "a"), True), (("*",), True)],
)
def test_no_globs_or_only_two_stars_restrict_nothing(globs: tuple[str, ...], *, conditional: bool) -> None:
    assert Globs(globs).conditional is conditional


@pytest.mark.parametrize(
    ("glob", "reason"),
    [
        ("[a", "never closed"),
        ("[[:nope:]]", "no such class"),
        ("a\\", "backslash"),
        ("/", "nothing is left"),
        ("!", "nothing is left"),
        ("#note", "comment"),
        ("../x/*.py", "own folder"),
        ("~/x", "own folder"),
        ("a\nb", "line end"),
        ("{1..9}{1..9}{1..9}{1..9}", "more than 1,000"),
        ("{" * 200, "more than 1,000"),
        ("x" * 30_000, "too long"),
    ],
)
def test_a_glob_that_can_match_nothing_is_a_problem_with_a_reason(glob: str, reason: str) -> None:
    (problem,) = Globs((glob, "*.py")).problems
    assert reason in problem
    assert len(problem) < 250
    assert Globs((glob, "*.py")).matches("a.py")


def test_sound_globs_have_no_problems() -> None:
    assert Globs(("src/**/*.{ts,tsx}", "!*.d.ts", "[a-z]?/", "**", "a..b", "...")).problems == ()


@pytest.mark.parametrize(
    ("globs", "path"),
    [
        ("*a" * 120 + "b", "a" * 250),
        ("**/*a*a*a*b/" * 60 + "x", "/".join(["a" * 100] * 30)),
        ("**/a/" * 200 + "b", "/".join(["a"] * 500)),
        ("{a,b" * 32, "a"),
    ],
)
def test_no_glob_takes_long(globs: str, path: str) -> None:
    assert not Globs((globs,)).matches(path)


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("/srv/vendor/CLAUDE.md", "/srv/vendor/CLAUDE.md", True),
        ("/srv/vendor/CLAUDE.md", "/srv/vendor/sub/CLAUDE.md", False),
        ("**/vendor/CLAUDE.md", "/srv/vendor/CLAUDE.md", True),
        ("**/CLAUDE.md", "/CLAUDE.md", True),
        ("/srv/*/CLAUDE.md", "/srv/a/b/CLAUDE.md", False),
        ("/srv/**", "/srv/.claude/rules/a.md", True),
        ("/srv/{a,b}/*.md", "/srv/b/x.md", True),
        ("/srv/a/", "/srv/a/b/c.md", True),
        ("CLAUDE.md", "/srv/CLAUDE.md", False),
        ("/SRV/**", "/srv/a", False),
        ("[", "[", True),  # a path that is written out
        ("[", "x", False),
    ],
)
def test_globs_on_absolute_paths_are_for_the_whole_path_and_mind_the_case(
    glob: str, path: str, *, expected: bool
) -> None:
    assert PathGlobs((glob,)).matches(path) is expected


def test_without_globs_no_path_is_meant() -> None:
    assert not PathGlobs().matches("/a")


def test_names_that_are_no_text_can_be_asked_about() -> None:
    assert Globs(("*.py",)).matches("\udcff\udcfe.py")
    assert Globs(("*.py",)).matches("\ud800.py")
    assert not Globs(("\ud800",)).matches("a")


def test_only_braces_load_the_brace_expander() -> None:
    code = (
        "import sys; from memdir.text.globs import Globs; Globs(('*.py',)).matches('a'); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "bracex" not in done.stdout.split()


def test_a_pattern_with_hundreds_of_commas_is_a_problem_and_no_crash() -> None:
    pattern = "{" * 8 + "a," * 900
    assert Globs((pattern,)).problems or not Globs((pattern,)).matches("b")
