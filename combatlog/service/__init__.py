"""The service: fights over HTTP, as each seat may see them. docs/http.md documents the contract.

`workers.serve` starts it; `app.create` makes the application; `routes/` has the resources. `combatlog` does the work,
and every answer goes through a seat's view.
"""
