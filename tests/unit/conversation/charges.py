"""What a conversation has been charged so far, as tests look at it."""

from memdir.conversation.state import Conversation

__all__ = ["spent"]


def spent(talk: Conversation) -> int:
    """Return the bytes of all that the conversation was shown since the last compaction."""
    return sum(share.bytes for share in talk._shares())
