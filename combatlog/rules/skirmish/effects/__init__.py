"""Effects: one small implementation per property of the ability library."""
