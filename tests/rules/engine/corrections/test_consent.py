"""Consent: what is proposed, agreed to by those it affects, overruled, and asked again if need be."""

from __future__ import annotations

import pytest

from combatlog.handlers.consent import carry_out
from combatlog.messages.commands import Conclude, Declare, EndTurn, Hurt, Move, Note, TimeUp
from combatlog.messages.corrections import Amend, Undo
from combatlog.messages.requests import Consent, Overrule, Propose
from combatlog.rules.engine.corrections.plan import Plan
from combatlog.rules.engine.refusal import Refusal
from combatlog.testing import Drill, all_of
from ledger.errors import Problem
from ledger.events import Amended, Declared, Undone
from projections.battle.consent import OVERRULE, PROPOSE, last_proposal
from tests.rules.veils_ruleset import by_every_ruleset, join_unseen


def table(consent: str | None = "table", ruleset: str = "dnd5e") -> Drill:
    """Snig hits Rurik for 5 (3 and 2 for dexterity), who has 12; Mira stands by."""
    made = Drill(ruleset, options={"consent": consent} if consent else None)
    made.join("fighter", "Rurik", (1, 1))
    made.join("fighter", "Mira", (1, 3))
    made.join("goblin", "Snig", (2, 1), side="foes")
    made.start(dice=[10, 5, 20])
    made.do("snig", "attack")
    made.do("snig", "strike", target="rurik", dice=[19, 3])
    return made


def strike(made: Drill) -> int:
    return [event.seq for event in all_of(made.history(), Declared) if event.action.endswith(":strike")][-1]


def proposed_plan(made: Drill, seat: str = "gm") -> Plan:
    """What would happen now if all agreed, as the seat sees it."""
    proposal = made.seen_by(seat).proposal()
    assert proposal is not None
    assert proposal.plan is not None
    return proposal.plan


def refusal(made: Drill) -> str:
    with pytest.raises(Problem) as refused:
        made.apply(made.plan(Undo(reason="no")))
    return refused.value.code


@pytest.mark.parametrize("consent", [None, "gm"])
def test_as_a_rule_the_gm_decides_alone(consent: str | None) -> None:
    made = table(consent)
    made.apply(made.plan(Undo(reason="a misunderstanding")))
    assert made["rurik.hp"] == 12


def test_at_a_table_nobody_corrects_without_being_agreed_with() -> None:
    made = table()
    assert refusal(made) == "consent/needed"
    assert made["rurik.hp"] == 7


def test_those_whom_it_affects_are_asked_and_when_all_agree_it_is_done() -> None:
    made = table()
    made.propose(Undo(reason="a misunderstanding"))
    proposal = made.seen_by().proposal()
    assert proposal is not None
    assert (proposal.asked, proposal.waiting, proposal.is_open) == (("rurik",), ["rurik"], True)
    assert made["rurik.hp"] == 7
    made.send(Consent("rurik"))
    assert made["rurik.hp"] == 12
    assert len(all_of(made.history(), Undone)) == 1
    done = made.seen_by().proposal()
    assert done is not None
    assert done.applied


def test_everybody_has_to_agree() -> None:
    made = table()
    made.hurt("mira", 4)
    made.propose(Undo(back_to=strike(made) - 1, reason="none of this happened"))
    made.send(Consent("mira"))
    assert made["rurik.hp"] == 7
    made.send(Consent("rurik", by="anna"))
    assert (made["rurik.hp"], made["mira.hp"]) == (12, 12)


def test_who_does_not_agree_ends_it_and_the_gm_may_overrule_on_record() -> None:
    made = table()
    made.propose(Undo(reason="a misunderstanding"))
    made.send(Consent("rurik", False, reason="it was a fair hit"))
    assert made["rurik.hp"] == 7
    with pytest.raises(Refusal, match="did not agree"):
        made.send(Consent("rurik"))
    made.send(Overrule("the rules say so"))
    assert made["rurik.hp"] == 12
    (overruled,) = [event for event in all_of(made.history(), Declared) if event.action == OVERRULE]
    assert overruled.options["reason"] == "the rules say so"


def test_what_has_become_another_correction_is_asked_again() -> None:
    made = table()
    made.propose(Undo(reason="a misunderstanding"))
    made.hurt("rurik", 2)  # now Rurik has 5, and would get 10 instead of 12
    made.send(Consent("rurik"))
    assert made["rurik.hp"] == 5
    proposals = [event for event in all_of(made.history(), Declared) if event.action == PROPOSE]
    assert proposals[1].options["again"] == proposals[0].seq
    made.send(Consent("rurik"))
    assert made["rurik.hp"] == 10


def test_a_correction_that_affects_no_player_needs_nobody() -> None:
    made = table()
    made.do("snig", "move", to=(2, 2))
    made.propose(Undo(reason="it stays"))
    assert made["snig.position"] == (2, 1)
    assert made.seen_by().proposal() is None


def test_an_amendment_is_proposed_with_all_it_says() -> None:
    made = table()
    roll = next(event.seq for event in made.history() if event.kind == "rolled" and event.purpose == "attack")
    made.propose(Amend(seq=strike(made), faces={roll: [2]}, reason="the die showed a 2"))
    made.send(Consent("rurik"))
    assert made["rurik.hp"] == 12
    assert len(all_of(made.history(), Amended)) == 1


@pytest.mark.parametrize(
    ("who", "code"),
    [("mira", "consent/not-asked"), ("snig", "consent/not-asked"), ("nobody", "declaration/unknown-combatant")],
)
def test_only_those_who_are_asked_answer(who: str, code: str) -> None:
    made = table()
    made.propose(Undo(reason="a misunderstanding"))
    with pytest.raises(Problem) as refused:
        made.send(Consent(who))
    assert refused.value.code == code


def test_nothing_is_agreed_to_or_overruled_if_nothing_is_proposed() -> None:
    for answer in (
        lambda made: made.send(Consent("rurik")),
        lambda made: made.send(Overrule("x")),
        lambda made: carry_out(made.backend),
    ):
        with pytest.raises(Refusal) as refused:
            answer(table())
        assert refused.value.code == "consent/nothing"


def test_an_undo_of_the_last_declaration_does_not_mean_the_proposal() -> None:
    made = table()
    made.propose(Undo(reason="a misunderstanding"))
    plan = made.plan(Undo(reason="the same"))
    assert plan.entries[0].declared.action.endswith(":strike")


def test_players_see_that_they_are_asked_and_the_plan_with_their_numbers() -> None:
    made = table()
    made.propose(Undo(reason="a misunderstanding"))
    seen = made.seen_by("players")
    last = seen.seen[-1]
    assert isinstance(last, Declared)
    assert (last.action, last.targets, last.options) == (PROPOSE, ("rurik",), {})
    plan = proposed_plan(made, "players")
    assert plan.entries[0].verdict == "taken back"
    assert plan.entries[0].declared.seq <= seen.last


# Commands


def test_a_command_is_proposed_to_those_whom_it_names_and_done_with_the_last_answer() -> None:
    made = table()
    made.propose(Hurt(["rurik", "mira"], 4, reason="the ceiling comes down"))
    proposal = made.seen_by().proposal()
    assert proposal is not None
    assert (proposal.message, proposal.asked) == ("hurt", ("rurik", "mira"))
    proposed = last_proposal(made.history())
    assert proposed is not None
    assert proposed.fields == {"who": ["rurik", "mira"], "amount": 4, "reason": "the ceiling comes down"}
    made.send(Consent("rurik"))
    assert made["rurik.hp"] == 7
    made.send(Consent("mira"))
    assert (made["rurik.hp"], made["mira.hp"]) == (3, 8)
    done = made.seen_by().proposal()
    assert done is not None
    assert done.applied


def test_a_command_that_affects_no_player_or_that_nobody_decides_about_is_done_at_once() -> None:
    made = table()
    made.propose(Hurt("snig", 2))
    assert made.seen_by().proposal() is None
    assert made["snig.hp"] == 5  # a goblin has 7
    alone = table(None)
    alone.propose(Hurt("rurik", 2))
    assert alone["rurik.hp"] == 5


def test_those_whom_a_command_would_change_are_asked_without_being_named() -> None:
    """Snig's turn ends, and Mira's begins: she gets her action."""
    made = table()
    made.propose(EndTurn("snig"))
    proposal = made.seen_by().proposal()
    assert proposal is not None
    assert len(proposal.asked) == 1
    made.send(Consent(proposal.asked[0]))
    assert made.state().clock.turn == proposal.asked[0]


def test_a_command_that_has_come_to_mean_something_else_is_asked_again() -> None:
    """The obvious attack is that of whoever has the turn."""
    made = table()
    made.end_turn("snig")
    first = made.state().clock.turn
    assert first is not None
    other = "mira" if first == "rurik" else "rurik"
    made.propose(Move(to=(5, 5)))
    made.end_turn(first)
    made.send(Consent(first))
    again = made.seen_by().proposal()
    assert again is not None
    assert (again.asked, again.applied) == ((other,), False)
    first_time, second_time = (event for event in all_of(made.history(), Declared) if event.action == PROPOSE)
    assert (second_time.seq, second_time.options["again"]) == (again.seq, first_time.seq)


def test_what_is_not_possible_cannot_be_proposed() -> None:
    made = table()
    for message, code in ((EndTurn("rurik"), "turn/other"), (Hurt("nobody", 3), "declaration/unknown-combatant")):
        with pytest.raises(Problem) as refused:
            made.propose(message)
        assert refused.value.code == code
    for wrong in (Consent("rurik"), TimeUp(), Propose(Undo()), "undo"):
        with pytest.raises(Problem) as refused:
            Propose(wrong)
        assert (refused.value.code, refused.value.facts["field"]) == ("message/invalid", "message")


def test_what_becomes_impossible_leaves_the_answer_and_the_proposal() -> None:
    made = table()
    made.propose(EndTurn("snig"))
    proposal = made.seen_by().proposal()
    assert proposal is not None
    made.end_turn("snig")
    made.send(Consent(proposal.asked[0]))
    left = made.seen_by().proposal()
    assert left is not None
    assert (left.is_open, left.waiting) == (True, [])
    plan = proposed_plan(made)
    assert plan.undecided is not None
    assert plan.undecided.code == "turn/other"
    seen = proposed_plan(made, "players")
    assert seen.undecided is not None
    assert (seen.undecided.code, seen.undecided.facts) == ("consent/impossible", {})


def test_no_dice_are_rolled_for_a_proposal_and_what_follows_them_is_not_shown() -> None:
    made = table()
    made.end_turn("snig")
    who = made.state().clock.turn
    assert who is not None
    made.propose(Declare(who, "attack"))
    made.send(Consent(who))
    made.propose(Declare(who, "strike", targets="snig", dice=(2,)))
    plan = proposed_plan(made)
    assert plan.needs is not None
    assert (plan.needs.purpose, plan.needs.dice) == ("attack", ("d20",))
    assert [event.kind for event in plan.new if event.kind in ("rolled", "attack_resolved")] == []
    assert proposed_plan(made, "players").needs is None
    made.send(Consent(who))
    assert [event.faces for event in made.history() if event.kind == "rolled"][-1] == (2,)


@by_every_ruleset
def test_players_see_of_a_proposed_command_what_they_would_see_of_it(ruleset: str) -> None:
    """Of a secret note and of whom the GM reveals, nothing; of an open note, its text."""
    made = table(ruleset=ruleset)
    join_unseen(made, "ogre", "Grimjaw", (6, 6), initiative=1)
    shown: dict[str, list[str]] = {}
    for name, message in {
        "secret": Note("Rurik is doomed.", about="rurik", secret=True),
        "open": Note("It rains.", about="rurik"),
        "hurt": Hurt(["rurik", "grimjaw"], 1, reason="Grimjaw falls on him"),
    }.items():
        made.propose(message)
        view = made.seen_by("players")
        plan = proposed_plan(made, "players")
        shown[name] = [str(event.model_dump()) for event in (*plan.new, plan.correction)] + [str(plan.state_changes())]
        assert "doomed" not in str(shown)
        assert "rimjaw" not in str(shown)
        assert "doomed" not in str(view.seen[-1].model_dump())
    assert "It rains." in str(shown["open"])
    assert "rurik" in str(shown["hurt"])


def test_the_gm_may_carry_out_a_command_all_the_same() -> None:
    made = table()
    made.propose(Conclude("a truce"))
    assert made.state().clock.closed  # it affects nobody
    other = table()
    other.propose(Hurt("mira", 3))
    other.send(Consent("mira", False))
    other.send(Overrule("it is how it is"))
    assert other["mira.hp"] == 9
