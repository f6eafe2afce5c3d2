"""A fight as a story: one sentence for each declaration, under headings for rounds and turns.

`clauses` says what becomes of each kind of event, `declarations` how each action begins its sentence. What neither
knows is told in the words of `projections.words`, so a new kind or a new ruleset is never left out.
"""

from projections.story.telling import Line, tell

__all__ = ["Line", "tell"]
