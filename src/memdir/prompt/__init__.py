"""Every sentence a model reads about memory, as data, and the builders that put them together."""
