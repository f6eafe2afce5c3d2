"""The statistics that are one question each to a table of facts: one file per statistic, listed here."""

from __future__ import annotations

from projections.statistics.questions.conditions import CONDITIONS
from projections.statistics.questions.corrections import CORRECTIONS
from projections.statistics.questions.damage import DAMAGE
from projections.statistics.questions.deaths import DEATHS
from projections.statistics.questions.economy import ECONOMY
from projections.statistics.questions.healing import HEALING
from projections.statistics.questions.hits import HITS
from projections.statistics.questions.reactions import REACTIONS
from projections.statistics.questions.rolls import ROLLS
from projections.statistics.questions.taken import TAKEN
from projections.statistics.questions.turns import TURNS

QUESTIONS = {
    "hits": HITS,
    "damage": DAMAGE,
    "taken": TAKEN,
    "healing": HEALING,
    "deaths": DEATHS,
    "rolls": ROLLS,
    "reactions": REACTIONS,
    "economy": ECONOMY,
    "turns": TURNS,
    "conditions": CONDITIONS,
    "corrections": CORRECTIONS,
}
