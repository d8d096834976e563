"""The past conversations of a project: those that began in its directory, if they may be looked through."""

from memdir.config.locate import Setup
from memdir.conversation.search import Searched, searched
from memdir.conversation.transcripts import newest_first, transcript_folder
from memdir.errors import NoSuchMemory, Rejected

__all__ = ["newest_transcript", "past_search"]


def newest_transcript(setup: Setup, cwd: str) -> str:
    """Return the transcript of the newest conversation that began in this directory."""
    folder = transcript_folder(setup.place.config_home, cwd)
    found = newest_first(folder)
    if not found:
        raise NoSuchMemory(f"There is no transcript in {folder}. Name one: a session file, or JSONL.")
    return found[0]


def past_search(setup: Setup, cwd: str, pattern: str, limit: int) -> Searched:
    """Return the messages of past conversations that hold all the words; refused where a setting says so."""
    if not setup.settings.flag("searchPastContext"):
        source = setup.settings["searchPastContext"].source
        raise Rejected(f'Transcripts are not searched: "searchPastContext" is off in {source}.')
    return searched(newest_first(transcript_folder(setup.place.config_home, cwd)), pattern, limit)
