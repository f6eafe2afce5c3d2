"""Import another ledger's export: check it, rename fights and copy them."""
