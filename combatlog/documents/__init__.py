"""The documents that programs get, whether from the command line or over a network: their types, and how they are made.

`shapes` has the types of those that are put together here; the other modules make them. docs/schemas has the JSON
Schema of each.
"""
