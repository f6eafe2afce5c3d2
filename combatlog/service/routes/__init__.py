"""The resources under /v1, by what they are about."""
