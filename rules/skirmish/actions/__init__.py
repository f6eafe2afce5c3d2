"""Actions: what is declared for a figure."""
