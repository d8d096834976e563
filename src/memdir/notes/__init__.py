"""Session notes: one file that is kept while a conversation goes on."""
