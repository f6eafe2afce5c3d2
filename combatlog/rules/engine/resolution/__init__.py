"""Resolve declarations into events, and keep the fight in the ledger."""
