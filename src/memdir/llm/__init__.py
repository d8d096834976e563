"""One question to a model: the values, the vendors, and the fake that ships."""
