"""The reference pages of the documentation, made from the code: `python -m scripts.reference` writes them."""
