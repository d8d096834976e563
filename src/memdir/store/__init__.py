"""The only package that writes: memory directories, their locks, journal, history and caches."""
