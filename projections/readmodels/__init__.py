"""Read models: tables for questions across encounters, maintained from the ledger's notification log.

`catalogue` lists the tables, `encounter_projection` and `facts` turn events into rows, `recorder` keeps the rows in
PostgreSQL, `runner` follows the ledger, and `rebuild` rebuilds everything.
"""
