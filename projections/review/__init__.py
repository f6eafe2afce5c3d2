"""Looking back at a fight: what differs, who corrected it, why an event happened, and stepping through it."""
