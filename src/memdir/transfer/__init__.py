"""Memories that come from elsewhere or go there: orphans, imports, exports, and removal for good."""
