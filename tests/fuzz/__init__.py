"""Hostile input: a clear refusal or a correct result, never a traceback, a hang or a write."""
