"""Import the export of another ledger: check it, rename its fights, copy them."""
