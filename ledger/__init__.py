"""The append-only ledger: the events of every encounter in PostgreSQL, each chained to the one before it by a hash."""
