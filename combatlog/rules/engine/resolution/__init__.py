"""How a declaration is resolved into events, and how the referee keeps the fight in the ledger."""
