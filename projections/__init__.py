"""What follows from the events of a fight: its state, its story, what each seat sees, tables, statistics and
figures."""
