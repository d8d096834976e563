"""Commands that check, count and measure."""
