"""D&D Beyond: characters as its public character service has them."""
