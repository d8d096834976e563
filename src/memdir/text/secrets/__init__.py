"""Credentials in a text: found by shape and never shown."""
