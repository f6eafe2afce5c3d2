"""Statistics over the read models: each is a question, a SQL statement, and a report."""
