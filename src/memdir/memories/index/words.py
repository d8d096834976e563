"""What a person's own words and order in an index are, and how they come back without old pointers."""

from collections.abc import Callable

from memdir.memories.index.text import HUB_FOLDER, pruned, targets

__all__ = ["both_words", "brought_back", "reworded", "same_words"]


def reworded(before: str, after: str, known: Callable[[str], bool]) -> bool:
    """Tell whether more than pointers to new and gone memories differs, which healing makes good anyway."""
    old, new = _lines(before), _lines(after)
    lost = [line for line, file in old.items() if line not in new and (not file or known(file))]
    added = [line for line, file in new.items() if line not in old and not file]
    moved = [line for line in old if line in new] != [line for line in new if line in old]
    return bool(lost or added) or moved


def same_words(one: str, other: str) -> bool:
    """Tell whether two texts have the same prose and, where both point at a memory, the same order."""
    lines = [_lines(pruned(text, bool).text) for text in (one, other)]
    common = {"", *(set(lines[0].values()) & set(lines[1].values()))}
    first, second = ([file or line for line, file in text.items() if file in common] for text in lines)
    return first == second


def brought_back(before: str, after: str, now: str) -> str:
    """Return the text before a change, its pointers worded as today where the change had left them alone."""
    changed, today = _pointed(after), _pointed(now)
    pairs = zip(before.split("\n"), targets(before), strict=True)
    kept = (today.get(file, line) if file and changed.get(file) == line else line for line, file in pairs)
    return "\n".join(kept)


def both_words(before: str, now: str) -> str:
    """Return the text before a change, followed by the prose of now that it does not have."""
    old = _lines(before)
    more = [line for line, file in _lines(now).items() if not file and line not in old]
    return "\n".join([before.rstrip("\n"), "", *more, ""]) if more else before


def _lines(text: str) -> dict[str, str]:
    """Return every line that says something once, with the file it points at; lists of ours are left out."""
    pairs = zip(text.split("\n"), targets(text), strict=True)
    return {line.rstrip(): file for line, file in pairs if line.strip() and not file.startswith(HUB_FOLDER)}


def _pointed(text: str) -> dict[str, str]:
    return {file: line for line, file in zip(text.split("\n"), targets(text), strict=True) if file}
