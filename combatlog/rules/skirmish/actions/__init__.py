"""Actions that can be declared for a figure."""
