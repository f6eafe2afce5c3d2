"""The resources under /v1, by subject."""
