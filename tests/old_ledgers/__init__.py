"""Whole fights as each generation of event kinds wrote them. They are never rewritten."""
