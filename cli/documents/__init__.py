"""The documents that commands print with `--json`. Each has a name, a version and a JSON Schema made from its type."""
