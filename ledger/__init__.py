"""The append-only ledger: the events of every encounter in PostgreSQL, in a hash chain."""
