"""Days that a text names, read in many languages."""
