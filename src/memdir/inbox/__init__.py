"""Changes that wait for a person."""
