"""The only code that writes: atomic files, locks, append logs, cleanup."""
