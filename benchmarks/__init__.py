"""How fast it is, always as a ratio to something bare in the same run, because machines are noisy."""
