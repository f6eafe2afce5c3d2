"""Who is who across fights: a character is known by its name within a campaign, whatever its id in each fight.

Fights without a campaign count as one campaign. A character goes by its id, the first in the alphabet if it has
several, and by its campaign as well if another campaign has a character of the same name. If two combatants of one
fight have the same name, nobody can tell which of them is who elsewhere, and their ids count instead.
"""

from __future__ import annotations

CHARACTERS = """people AS (
    SELECT c.encounter, c.combatant, coalesce(s.campaign, '') AS campaign,
           CASE WHEN count(*) OVER (PARTITION BY c.encounter, c.character) > 1
                THEN c.combatant ELSE c.character END AS character
    FROM combatants c JOIN scope s USING (encounter)
),
characters AS (
    SELECT encounter, combatant, min(combatant COLLATE "C") OVER (PARTITION BY character, campaign) ||
           CASE WHEN campaign <> '' AND min(campaign) OVER named <> max(campaign) OVER named
                THEN ' (' || campaign || ')' ELSE '' END AS name
    FROM people WINDOW named AS (PARTITION BY character)
)"""
"""Parts of a query that follow the scope. PostgreSQL leaves out what a query does not use."""


def join_character(alias: str, facts: str, combatant: str) -> str:
    """The character that a column of a table of facts names; none for what is no combatant."""
    return f" LEFT JOIN characters {alias} ON {alias}.encounter = {facts}.encounter AND {alias}.combatant = {combatant}"
