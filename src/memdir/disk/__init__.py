"""The only code that makes, changes and removes files and folders: atomic files, locks, logs, cleanup."""
