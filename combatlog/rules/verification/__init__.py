"""Check recorded fights: their numbers, hashes, declarations and dice, in a ledger or in a lake."""
