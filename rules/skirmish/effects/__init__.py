"""Effects: one small implementation for each property of the ability library."""
