"""A ledger behind a service, with the interface of one that is at hand: `combatlog.connect` opens it.

Commands and questions are sent to the service as the messages that they are. What takes the events themselves is worked
out here, from those that the seat may see.
"""
