"""How events leave and enter a ledger: backups, exports, imports and seals."""
