"""Pages for fights: the data that a browser gets, and the ES modules that show it."""
