"""The agents that memdir serves: what each tells and takes at an event, and how it is set up."""
