"""Commands for what is kept up by itself."""
