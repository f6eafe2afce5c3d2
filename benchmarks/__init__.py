"""How fast it is, always as a ratio to something bare in the same run, because machines are noisy.

| file | what it measures |
|---|---|
| `declarations`, `autoplay`, `long_fights` | deciding, recording and correcting, in short and long fights |
| `command_line`, `http_service`, `replay_and_watch` | what people wait for |
| `load`, `growth`, `capacity` | several writers, large ledgers, how much one server carries |
| `read_models`, `lake_and_engines`, `import_and_backup` | what is derived from events, and moving them |

`registry` finds every function `run_NAME` here and keeps the table in docs/performance.md.
"""
