"""How long a server asks to be left alone."""

from collections.abc import Mapping

__all__ = ["retry_after"]


def retry_after(headers: Mapping[str, str]) -> float:
    """Return the seconds to wait; 0 when the header is missing or says nothing sensible.

    A date is taken relative to the server's own, so that nobody's clock has to be right.
    """
    said = headers.get("retry-after", "").strip()
    if said.replace(".", "", 1).isascii() and said.replace(".", "", 1).isdigit():
        return float(said)
    until, now = _seconds(said), _seconds(headers.get("date", ""))
    return max(0.0, until - now) if until and now else 0.0


def _seconds(date: str) -> float:
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0
