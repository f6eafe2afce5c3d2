"""A ledger behind a service, with the interface of one that is at hand: `combatlog.connect` opens it.

What a seat that sees everything asks about a fight is answered here, from the events that the service sent, by the same
code as everywhere. What a seat may not see stays at the service, so the service answers what a player asks. Whatever is
recorded is decided and recorded there.
"""
