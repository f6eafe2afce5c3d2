"""Backups, exports, imports and seals: how events leave and enter a ledger."""
