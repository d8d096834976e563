"""Remove memories from a space for good: all their texts, and their words wherever the space keeps them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from memdir.hub.spaces import SpaceSession
from memdir.transfer.purge import words_in

__all__ = ["purge_space", "search_forms"]


def purge_space(
    session: SpaceSession, files: Sequence[str], contents: Sequence[str], words: Sequence[str]
) -> dict[str, Any]:
    """Remove files, texts by their hashes, and words; say what was cleaned, searched and left.

    The words of all texts that the files ever had in this space are looked for too: others may have written
    texts that whoever asks has never seen. The space is locked first, so that no text comes in between.
    """
    session.lock()
    said = [word for file, text in session.texts_of(files) for word in words_in(file, text)]
    told = session.purge(files, contents, search_forms([*words, *said]))
    found = told.pop("found")
    return told | {"searched": sorted(found), "holding": {name: n for name, n in found.items() if n}}


def search_forms(words: Iterable[str]) -> list[str]:
    """Return what to look for: words as they are and as JSON writes them, none that holds another.

    The stop at the end of a sentence is left out: descriptions have none.
    """
    bare = [word.rstrip(".!?;") or word for word in words if _is_text(word)]
    forms = {form for word in bare for form in _forms(word)}
    shortest = list[str]()
    for form in sorted(forms, key=len):
        if not any(shorter in form for shorter in shortest):
            shortest.append(form)
    return shortest


def _forms(word: str) -> Iterator[str]:
    """Yield a word, and how it stands in JSON, also in JSON that stands in JSON."""
    yield word
    for ascii_only in (True, False):
        once = json.dumps(word, ensure_ascii=ascii_only)[1:-1]
        yield from (once, json.dumps(once, ensure_ascii=ascii_only)[1:-1])


def _is_text(word: str) -> bool:
    """Tell whether PostgreSQL can look for a word: it is not empty, and all of it is characters."""
    try:
        return bool(word.encode()) and "\0" not in word
    except UnicodeEncodeError:
        return False
