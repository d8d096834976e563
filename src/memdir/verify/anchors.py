"""What a memory's claims looked like when it was saved, as one short value of its header.

`9fceb02d0ae5 1c9d3f=5e884898 77ab01=src/app.py`: the commit, then for each claim its key and its print. A
print is a hash of the bytes, of the line, of the words of a script or of a stated version; for a symbol, the
file that defined it. `-` means that it was not there. Characters that a header would have to escape are
percent-encoded.
"""

import re
from collections.abc import Mapping, Sequence
from zlib import crc32

from memdir.text.value import field, value_class
from memdir.verify.claims.mentions import Claim

__all__ = [
    "ABSENT",
    "THERE",
    "Anchors",
    "anchor_value",
    "key_of",
    "line_print",
    "parse_anchors",
    "print_of",
    "word_prints",
]

ABSENT = "-"
"""The print of what was not there."""
THERE = "there"
"""The print of a branch or literal that was there."""

LONGEST = 1_200
"""Characters of the whole value: a header stays readable."""


@value_class(frozen=True, slots=True)
class Anchors:
    """The commit that was checked out, and the print of each claim by its key."""

    commit: str = ""
    prints: Mapping[str, str] = field(default_factory=dict)

    def of(self, claim: Claim) -> str:
        """Return the print of a claim, empty when none was taken."""
        return self.prints.get(key_of(claim), "")


def anchor_value(commit: str, prints: Mapping[Claim, str]) -> str:
    """Return the value for the header, empty when there is nothing to hold on to."""
    words = [commit[:12] or ABSENT]
    for claim, mark in prints.items():
        word = f"{key_of(claim)}={_UNSAFE.sub(lambda found: f'%{ord(found[0]):x};', mark)}"
        if mark and sum(map(len, words)) + len(words) + len(word) <= LONGEST:
            words.append(word)
    return " ".join(words) if prints or commit else ""


def parse_anchors(value: str) -> Anchors:
    """Read the value back; whatever is not understood counts as not there."""
    commit = re.match(r"[0-9a-f]{7,40}(?= |$)", value)
    prints = {key: _ESCAPE.sub(_plain, mark) for key, mark in _WORD.findall(value[: LONGEST * 2])}
    return Anchors(commit[0] if commit else "", prints)


def key_of(claim: Claim) -> str:
    """Return the key of a claim: the same wherever it stands in the text."""
    place = f"\0{claim.place}" if claim.place else ""
    return print_of(f"{claim.kind}\0{claim.owner}\0{claim.target}\0{claim.line}{place}")[:6]


def print_of(text: str) -> str:
    """Return a short hash: it tells a change, it proves nothing."""
    return f"{crc32(text.encode('utf-8', 'surrogatepass')):08x}"


def line_print(lines: Sequence[str], number: int) -> str:
    """Return the print of a line, spaces aside; one of a few signs is taken together with those around it."""
    if not 0 < number <= len(lines):
        return ABSENT
    text = lines[number - 1].strip()
    if len(text) < _TELLING:
        text = "\n".join(line.strip() for line in lines[max(0, number - 2) : number + 1])
    return print_of(text)


def word_prints(words: Sequence[str]) -> str:
    """Return the prints of the words of a script, so that one that went can be told from one that came."""
    return ".".join([print_of(word)[:5] for word in words[:40]]) or "empty"


_TELLING = 4
"""Characters below which a line may stand anywhere: a brace, an `end`."""
_UNSAFE = re.compile(r"[^A-Za-z0-9_./@+-]")
_ESCAPE = re.compile(r"%([0-9a-f]{1,6});")
_WORD = re.compile(r"(?<= )([0-9a-f]{6})=([A-Za-z0-9_./@+%;-]+)")


def _plain(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return chr(code) if code <= 0x10FFFF else found[0]
