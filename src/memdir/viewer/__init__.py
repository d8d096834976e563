"""The viewer: pages on this machine alone that show one memory, and change it where a person says so."""
