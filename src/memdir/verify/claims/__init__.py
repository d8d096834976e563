"""The claims in a text: paths, symbols, commands and dates, found by rules."""
