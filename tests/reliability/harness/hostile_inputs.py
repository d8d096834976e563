"""Names and directories that someone might hand in to get out of the memory directory, or into the index."""

from collections.abc import Iterator

__all__ = ["hostile_directories", "hostile_names", "index_names"]


def index_names() -> Iterator[str]:
    """Yield what looks like the index to some disk, some eye or some normal form."""
    yield from _INDEX


def hostile_names() -> Iterator[str]:
    """Yield several hundred names."""
    yield from _INDEX
    for climb in _CLIMBS:
        for target in _TARGETS:
            yield climb + target
            yield climb * 4 + target
    for root in _ROOTS:
        yield from (root + target for target in _TARGETS[:4])
    for inside in _INSIDE:
        yield f"a{inside}b"
        yield f"..{inside}outside{inside}secret.md"
    for folder in _FOLDERS:
        yield from (folder, f"{folder}/x", f"{folder}/x.md", f"{folder}.md")
    yield from (f"x{end}" for end in _ENDS)
    yield from (*_DEVICES, *_SHELL, *_EMPTY)
    yield from ("a" * length for length in (100, 255, 256, 1_024, 5_000, 100_000))
    yield from ("é" * 200, "🙂" * 300, "\ud800", "a\udfffb", "\udcff.md")
    yield from ("a/" * 200 + "x.md", "../" * 500 + "etc/passwd")


def hostile_directories(home: str) -> Iterator[tuple[str, bool]]:
    """Yield values for a configured directory, and whether each is acceptable where ~ is not expanded."""
    up = [f"/opt/{'../' * n}" for n in range(1, 12)] + [f"/{'x/../' * n}a" for n in range(1, 12)]
    yield from ((value, False) for value in (*_REFUSED, *up))
    yield from ((home + value, False) for value in _REFUSED_BELOW_HOME)
    yield from ((home + value, True) for value in _ACCEPTED)


# fmt: off
_INDEX = (
    "MEMORY.md", "memory.md", "Memory.md", "MEMORY.MD", "MEMORY", "./MEMORY.md", "sub/MEMORY.md",
    "MEMORY.md/", "MEMORY.md ", " MEMORY.md", "MEMORY.md.", "MEMORY.md\x00", "MEMORY%2emd",
    "ＭＥＭＯＲＹ.md", "MEMORY．md",
    "ΜEMORY.md", "МEMORY.md", "MEM0RY.md", "MEMORY\u200b.md", "ME\u0301MORY.md", "memory_memory",
    "../memory/MEMORY.md", "hubs/reference-1.md",
)
_TARGETS = ("outside/secret", "outside/secret.md", "etc/passwd", "MEMORY.md", "state/journal", "x")
_CLIMBS = (
    "../", "..\\", "%2e%2e/", "%2e%2e%2f", "..%2f", "..;/", ".../", "....//", "..%c0%af", "..%252f",
    "\u2025/", "．．/",
)
_ROOTS = (
    "/", "//", "\\\\", "C:\\", "C:", "~/", "~root/", "file:///", "\\\\?\\", "/proc/self/root/", "./",
    "memory/../../",
)
_INSIDE = (
    "\x00", "\n", "\r\n", "\t", "\x1b[2J", "\x7f", "\x85", "\u2028", "\u202e", "\ufeff", "\u200b", "\u2044",
    "\u2215", "／", "＼", ":",
)
_ENDS = (".md", ".md/", ".md/..", ".md\x00.txt", ".md ", ".md.", ".MD", ".md::$DATA", "/.", "/..")
_DEVICES = (
    "CON", "con.md", "NUL", "nul.txt", "AUX", "PRN", "COM1", "com9.md", "LPT1", "CLOCK$", "CONIN$",
)
_SHELL = (
    "$(touch owned)", "`touch owned`", "; touch owned", "| touch owned", "&& x", "> owned", "-rf", "--help",
    "*", "?", "[a]", "{a,b}", "!x", "#x", "%s%n", "{0}", "${HOME}", "'", '"', "\\",
)
_EMPTY = (
    "", " ", "\t", ".", "..", "...", "/", "//", "\\", "-", "--", "_", "~", "\u200b", "\u00a0", "\u3164", "🙂",
    "日本語", "é", "e\u0301", "ß", "ı", "İ",
)
_FOLDERS = ("team", "logs", "sessions", "hubs", ".git", ".memdir-tmp-x", ".consolidate-lock", "history.git")
_REFUSED = (
    "", " ", ".", "..", "x", "x/y", "./x", "../x", "memory", "/", "//", "///", "/.", "/..", "/a", "/a/", "/é",
    "/a/..", "/a/../b", "//server/share", "//x", "\\\\server\\share", "\\\\?\\C:\\x", "/\\x", "\\/x", "C:",
    "C:\\", "C:/", "c:\\", "C:\\x\\..", "Z:/", "C:x", "C:\\x", "~", "~/", "~/.", "~/..", "~/x", "~/x/..",
    "~root", "~root/x", "~nobody/../x", "~\\", "~\\x", "~+", "~-", "\x00", "/opt/\x00", "/opt/a\x00b",
    "\x00/opt/a", "file:///opt/x", "http://x/y", "$HOME/x", "%HOME%", "-", "\n", "\n/opt/x", "\ud800",
)
_REFUSED_BELOW_HOME = ("", "/", "/m\n", "/\x1b[2J", "/.ssh", "/.gnupg/x", "/.aws", "/.kube/m")
_ACCEPTED = (
    "/m", "/m/", "//m//", "/./m", "/x/../m", "/m m", "/é", "/e\u0301", "/~", "/%2e%2e/m", "/$HOME",
    "/-rf", "/...", "/C:", "/日本",
)
# fmt: on
