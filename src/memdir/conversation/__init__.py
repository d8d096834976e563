"""Conversations: messages, transcripts, cursors, and what was shown in them."""
