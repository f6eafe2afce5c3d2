"""Hostile input: a clear refusal or a correct result, never a traceback, a hang or a write.

tests/effort.py says how often each run tries.
"""
