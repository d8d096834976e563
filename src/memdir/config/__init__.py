"""Where memory lives and whether it is on."""
