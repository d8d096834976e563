"""What team memory must not hold: memories about a person, credentials, large files, hostile paths."""

from __future__ import annotations

from memdir.config.safe_path import Refused, contain
from memdir.errors import Rejected, SecretFound
from memdir.memories.change import file_bytes
from memdir.memories.names import key_problem
from memdir.memories.topic import Kind, header_from_bytes, saved_time
from memdir.text.secrets.search import secret_names

__all__ = ["MAX_TEAM_BYTES", "admission_problem", "admit_to_team"]

MAX_TEAM_BYTES = 250_000
"""Bytes of one file: every machine of the team gets a copy."""


def admit_to_team(directory: str, file: str, text: str) -> None:
    """Raise where a file with this text must not be in team memory; nothing overrides it."""
    place = contain(directory, file)
    problem = place.because if isinstance(place, Refused) else ""
    if problem := problem or admission_problem(file, file_bytes(text)):
        raise Rejected(f"team/{file} cannot be in team memory: {problem}")
    if rules := secret_names(text):
        raise SecretFound(
            f"team/{file} cannot be in team memory: it holds what looks like a credential ({rules}), and "
            "every member's machine would get a copy. Take it out, and say where it is kept."
        )


def admission_problem(file: str, data: bytes) -> str:
    """Return why a file must not be in team memory, its credentials apart; empty when it may."""
    if problem := key_problem(file):
        return f"{problem}."
    if len(data) > MAX_TEAM_BYTES:
        return f"it is over {MAX_TEAM_BYTES:,} bytes. Share what is worth recalling and point at the rest."
    if header_from_bytes(file, data, saved_time(0)).kind is Kind.USER:
        return (
            "it is of kind user, about one person, and such memories are private. Keep it in private memory, "
            "or give it another kind if it is about the project."
        )
    return ""
