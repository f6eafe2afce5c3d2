"""Messages: everything that a person or a program can say or ask, as frozen models."""
