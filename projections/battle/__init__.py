"""The state of a fight, folded from its events, and everything that the fold needs."""
