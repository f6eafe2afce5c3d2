"""Real faults: processes, backends and servers killed, answers cut off, connections and disk space used up.

They run in a short form with all the other tests; `COMBATLOG_FAULTS=full pytest tests/faults` runs many times more.
"""
