"""Nearness in meaning: a small sentence encoder in numpy, its weights, and the vectors it leaves behind."""
