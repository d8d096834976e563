"""The name of a conversation's file: an id of a host may hold anything, a name may not."""

__all__ = ["session_hash", "session_name"]

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
"""Without capitals: where a file system does not tell them apart, two conversations would share a file."""

_LONGEST = 100


def session_name(session: str) -> str:
    """Return the id itself where it is plain, as those of most hosts are, else its hash."""
    plain = session and session[0] != "-" and len(session) <= _LONGEST and _PLAIN.issuperset(session)
    return session if plain else f"_{session_hash(session)}"


def session_hash(session: str) -> str:
    """Return a name for any id; no two have the same."""
    import hashlib  # a prompt of a plain id does not wait for it

    return hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:32]
