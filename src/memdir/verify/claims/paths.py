"""Whether a word names a file or folder, and which line or symbol in it."""

import re

from memdir.text.value import value_class

__all__ = ["NamedPath", "is_glob", "named_path"]


@value_class(frozen=True, slots=True)
class NamedPath:
    """A path as it was written, with what was hung on it."""

    path: str
    line: int = 0
    symbol: str = ""
    sure: bool = True

    def text(self, line: int) -> str:
        """Return the path with its line."""
        return f"{self.path}:{line}"


def named_path(word: str, *, code: bool) -> NamedPath | None:
    """Return what a word names in the file tree; None when it has not the form of a path."""
    if len(word) > _LONGEST or _PATTERN.search(word):
        return None
    match = _PATH.fullmatch(word)
    if match is None or not _LETTER.search(match["path"]):
        return None
    path, name = match["path"], match["path"].rstrip("/").rpartition("/")[2]
    slashed, ending = "/" in path, _ENDING.search(name)
    known = ending is not None and ending[1].lower() in _ENDINGS
    if not (slashed or known or name in _NAMES or (code and _DOT_FILE.fullmatch(name))):
        return None
    if path.startswith(("/", "~")) and not (ending and slashed):
        return None  # a route or a home folder: nothing of the project
    line = int(match["line"] or match["hash"] or 0)
    symbol = re.split(r"\.|::", match["symbol"] or "")[-1]
    if symbol and not (ending or name in _NAMES):
        return None
    return NamedPath(path, line, symbol, sure=bool(ending and slashed) or (code and known))


def is_glob(word: str) -> bool:
    """Tell whether a word is a pattern for files: with a star, and a folder or an ending."""
    return "*" in word and len(word) <= _LONGEST and _GLOB.fullmatch(word) is not None


_LONGEST = 300
_GLOB = re.compile(
    r"(?=.*[A-Za-z])(?:\./)?(?:[\w.@*+{},\[\]-]+/)+[\w.@*+{},\[\]-]*|\*\*?\.[\w.{},-]*\w\}?|\w[\w-]*\*[\w-]*\.\w+",
    re.ASCII,
)
_LETTER = re.compile(r"[^\W\d_]")
# Globs, placeholders, variables and omissions stand for many paths or none.
_PATTERN = re.compile(r"[*?{}<>|$\\\"'=!]|\.\.\.|\u2026|//|/$(?<=^/)|\bNNN|XXX|YYYY")
_STEP = r"[\w.@+~%\-\[\]()]+"
_PATH = re.compile(
    rf"(?P<path>(?:~?/)?{_STEP}(?:/{_STEP})*/?)"
    r"(?::(?P<line>\d{1,6})(?:[-:\u2013]\d+)*|\#L(?P<hash>\d{1,6})(?:-L?\d+)?"
    r"|::?(?P<symbol>[A-Za-z_]\w*(?:(?:\.|::)\w+)*)(?:\(\))?)?"
)
_ENDING = re.compile(r"[\w\])]\.([A-Za-z][\w+-]{0,11})$")
_DOT_FILE = re.compile(r"\.[A-Za-z][\w.-]{2,30}")
_NAMES = frozenset(
    """
    Makefile GNUmakefile Dockerfile Containerfile Justfile justfile Jenkinsfile Procfile Gemfile
    Rakefile Vagrantfile Caddyfile Brewfile Tiltfile Earthfile CODEOWNERS LICENSE CHANGELOG
    """.split()  # noqa: SIM905 - a table
)
_ENDINGS = frozenset(
    """
    py pyi pyx ipynb ts tsx mts cts js jsx mjs cjs vue svelte astro go rs rb erb java kt kts scala
    swift c h cc cpp cxx hpp hh cs fs php sh bash zsh fish ps1 bat sql md mdx rst adoc txt json
    jsonc json5 yaml yml toml ini cfg conf properties env lock xml html htm css scss sass less proto
    graphql gql tf tfvars hcl gradle bzl bazel cmake mk csv tsv lua pl pm ex exs erl hs ml mli clj
    cljs dart nim zig jl tex svg png jpg gif pdf wasm map log db sqlite service plist snap patch
    diff tmpl j2 nix sol mod sum
    """.split()  # noqa: SIM905 - a table
)
"""Endings that make a bare word the name of a file; behind a slash any ending does."""
