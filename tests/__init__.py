"""The tests of memdir; a package so that the reliability suite can also run as `python -m`."""
