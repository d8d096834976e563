"""How each vendor is spoken to, and a scripted model."""
