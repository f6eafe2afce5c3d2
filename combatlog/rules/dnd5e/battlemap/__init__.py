"""The map in play: space, sight and cover, areas and zones, and movement across it."""
