"""A cheap test whether a text can hold a credential: only then the search itself is loaded.

A host waits for this module: it imports late.
"""

__all__ = ["may_hold_secret", "without_secrets"]

_LONG = 20
"""Characters of the shortest token that an issuer's format tells."""

_SIGNS = (
    *("pass", "pw", "kennwort", "senha", "secret", "token", "credential", "auth", "key"),
    *("basic", "bearer", "machine", "-u", "--", "://", "\\"),
    *("mysql", "mariadb", "root:", "admin:", "ubuntu:", "deploy:", "postgres:", "user:"),
)
"""A shorter credential stands beside one of these, in lower case; a backslash may part such a word."""


def without_secrets(text: str) -> str:
    """Return a text as it may be shown and copied: `[secret: rule-name]` in the place of a credential."""
    if not may_hold_secret(text):
        return text
    from memdir.text.secrets.search import (
        mask_secrets,  # its rules take longer to load than a plain recall may
    )

    return mask_secrets(text)


def may_hold_secret(text: str) -> bool:
    """Tell whether `find_secrets` might find something: of most texts a look shows that it would not."""
    if not text.isascii():  # with words of other languages, and characters that nobody sees
        return True
    lowered = text.lower()
    for sign in _SIGNS:
        if sign in lowered:
            return True
    return max(map(len, text.split()), default=0) >= _LONG
