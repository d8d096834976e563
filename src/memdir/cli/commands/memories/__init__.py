"""Commands of everyday use, and what was done with them."""
