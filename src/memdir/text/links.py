"""Links from one memory to another: by name as in a wiki, or by file as in Markdown."""

import re

__all__ = ["has_link_to", "links_in"]


def has_link_to(text: str, name: str, file: str) -> bool:
    """Tell whether a text links to the memory of this name in this file."""
    last = file.rpartition("/")[2]
    if not ("[[" in text and name in text) and last.removesuffix(".md") not in text:
        return False  # most texts: the patterns cost more
    called = "|".join(map(re.escape, (name, file, file.removesuffix(".md"), last, last.removesuffix(".md"))))
    by_name = rf"\[\[[ \t]*+(?:{called})[ \t]*+(?:[|#][^\]\n]*+)?\]\]"
    by_file = rf"\]\([ \t]*+<?(?:[^()\s<>]*/)?{re.escape(last)}(?:[#? \t>][^()\n]*+)?\)"
    return re.search(f"{by_name}|{by_file}", text) is not None


def links_in(text: str) -> set[str]:
    """Return the last parts of what a text links to, as names or files: candidates for `has_link_to`."""
    by_name = re.findall(r"\[\[[ \t]*+([^\]\n|#]{1,300})", text)
    by_file = re.findall(r"\]\([ \t]*+<?([^()\s<>#?]{1,300})", text)
    return {one.strip().rpartition("/")[2].removesuffix(".md") for one in (*by_name, *by_file)} - {""}
