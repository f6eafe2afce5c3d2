"""The service: fights over HTTP, each seat seeing what it may see. docs/http.md documents the contract.

`running.serve` starts it; `app.create` makes the application; `routes/` has the resources. Everything is done by
`combatlog`, and whatever leaves goes through a seat's view.
"""
