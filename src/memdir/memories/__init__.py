"""A directory of memories: topics, index, catalog, writer, history."""
