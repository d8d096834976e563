"""A reader and an abstract interpreter of shell commands; nothing runs."""
