"""One question to a language model: vendors, ledger and caps."""
