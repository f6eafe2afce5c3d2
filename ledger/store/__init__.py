"""How events are stored in PostgreSQL: connecting, installing the tables, appending, reading and following."""
