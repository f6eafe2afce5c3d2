"""Store events in PostgreSQL: connect, install the tables, append, read and follow."""
