"""What each message does: who sends it, and the handler of every command and question."""
