"""Ranking by words: terms, BM25 and its statistics."""
