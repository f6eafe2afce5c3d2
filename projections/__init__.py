"""What the events of a fight come to: its state, the story, what each seat sees, tables, statistics and figures."""
