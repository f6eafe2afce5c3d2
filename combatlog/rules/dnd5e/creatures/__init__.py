"""Characters and monsters: their sheets, equipment and pieces, and how they are shown."""
