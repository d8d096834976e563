"""The demo: three days of work in a temporary home, told with real commands."""
