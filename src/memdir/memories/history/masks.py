"""History masks credentials; an undo puts them back where a present text still has them, or says so."""

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256

from memdir.memories.change import Version, file_bytes
from memdir.text.secrets.search import find_secrets, mask_secrets
from memdir.text.value import replace

__all__ = ["is_whole", "lost_secrets", "masks", "with_secrets"]

_MASK = re.compile(r"\[secret: ([^\]\n]+)\]")


def is_whole(version: Version) -> bool:
    """Tell whether a text is that of the file, with nothing masked."""
    return not version.sha or sha256(file_bytes(version.text)).hexdigest() == version.sha


def with_secrets(version: Version, present: Iterable[Version | None]) -> Version:
    """Return a version with its very bytes if one of the present texts still has what was masked."""
    if is_whole(version):
        return version
    guesses = (guess(version.text, one.text) for one in present if one for guess in (_by_line, _in_order))
    found = (replace(version, text=text) for text in guesses)
    return next(filter(is_whole, found), version)


def masks(back: Iterable[tuple[str, Version]]) -> Iterator[str]:
    """Yield a warning for each text that comes back other than it was."""
    for file, version in back:
        if not is_whole(version):
            yield f"{file} held a credential, which history does not keep: [secret: ...] stands in its place."


def lost_secrets(removed: Iterable[tuple[str, Version | None]]) -> Iterator[str]:
    """Yield a warning for each text that goes with something in it that neither trash nor history keeps."""
    for file, version in removed:
        if version and mask_secrets(version.text) != version.text:
            yield f"{file} held a credential, which is not kept: an undo brings [secret: ...] back."


def _by_line(text: str, present: str) -> str:
    """Put the lines of a present text in place of those that are the same but for what is masked."""
    whole = {mask_secrets(line): line for line in present.split("\n")}
    return "\n".join(whole.get(line, line) if _MASK.search(line) else line for line in text.split("\n"))


def _in_order(text: str, present: str) -> str:
    """Put the credentials of a present text into the masks, rule by rule; some go over several lines."""
    places = [(mask.span(), mask[1]) for mask in _MASK.finditer(present)]  # saved as such, in a description
    places += [(found.span, found.rule) for found in find_secrets(present)]
    values: dict[str, list[str]] = {}
    for span, rule in sorted(places, reverse=True):
        values.setdefault(rule, []).append(present[slice(*span)])
    return _MASK.sub(lambda mask: (values.get(mask[1]) or [mask[0]]).pop(), text)
