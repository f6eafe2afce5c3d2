"""A ledger behind a service, with the interface of a local one: `combatlog.connect` opens it.

Commands and questions are sent to the service as messages. Whatever needs the events themselves is computed here, from
the events that the seat may see.
"""
