"""Actions: the doing. They spend capacity."""
