"""Read models: tables for questions across encounters, kept from the ledger's notification log.

`tables` says what there is, `chronicle` and `facts` turn events into rows, `view` keeps the rows in PostgreSQL,
`runner` follows the ledger and `rebuild` makes everything anew.
"""
