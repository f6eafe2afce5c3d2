"""Reading what was typed after an option or for an argument: faces, squares, answers and NAME=VALUE."""

from __future__ import annotations

import re
from typing import Any

import typer

NUMBER = r"[+-]?[0-9]{1,9}"
"""Nothing in a fight is a longer number, and Python itself refuses those of thousands of digits."""
_SEQ = r"[0-9]{1,9}"
Answers = dict[str, str | None]


def read_dice(text: str | None, option: str = "") -> list[int | str] | None:
    """Read `15,8` or `15 8`. Faces that are not numbers stay as they are."""
    if text is None:
        return None
    faces = [part for part in re.split(r"[,\s]+", text.strip()) if part]
    return [int(face) if re.fullmatch(NUMBER, face) else face for face in faces]


def read_position(text: str, option: str) -> tuple[int, int]:
    found = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if found is None:
        raise typer.BadParameter(f"{text!r} is not a square; write COLUMN,ROW, for example 4,7.", param_hint=option)
    return int(found[1]), int(found[2])


def read_positions(texts: list[str], option: str) -> list[tuple[int, int]]:
    return [read_position(text, option) for text in texts]


def read_pairs(texts: list[str], option: str) -> dict[str, str]:
    """Read several `name=value`."""
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (equals and name.strip() and value.strip()):
            wanted = "COLUMN,ROW=LETTER" if option == "--terrain" else "NAME=VALUE"
            raise typer.BadParameter(f"{text!r} is not {wanted}.", param_hint=option)
        pairs[name.strip()] = value.strip()
    return pairs


def read_numbers(texts: list[str], option: str) -> dict[str, int]:
    pairs = read_pairs(texts, option)
    for name, value in pairs.items():
        if not re.fullmatch(NUMBER, value):
            raise typer.BadParameter(f"{name}={value} is not a number.", param_hint=option)
    return {name: int(value) for name, value in pairs.items()}


def read_values(texts: list[str], option: str) -> dict[str, Any]:
    """Read several `name=value`, with values as in YAML: numbers, true and false, lists in brackets."""
    from combatlog.rules.content.files import read_yaml_text

    return {name: read_yaml_text(value, f"{option} {name}") for name, value in read_pairs(texts, option).items()}


def read_faces_of_rolls(texts: list[str], option: str) -> dict[int, list[int | str]]:
    """SEQ=FACES, by the event of the roll."""
    pairs = read_pairs(texts, option)
    for seq in pairs:
        if not re.fullmatch(_SEQ, seq):
            raise typer.BadParameter(f"{seq!r} is not the number of an event; write SEQ=FACES.", param_hint=option)
    return {int(seq): read_dice(shown) or [] for seq, shown in pairs.items()}


def read_hit_dice(texts: list[str], option: str) -> int | dict[str, int]:
    """A number for each, or numbers by name."""
    if len(texts) == 1 and texts[0].isdecimal() and len(texts[0]) < 4:
        return int(texts[0])
    return read_numbers(texts, option)


def read_reaction(text: str, option: str = "") -> str | None:
    """The name of a reaction; `pass` lets it pass."""
    return None if text == "pass" else text


def read_answers(texts: list[str], option: str) -> Answers:
    """COMBATANT=REACTION, by combatant."""
    return {name: read_reaction(answer) for name, answer in read_pairs(texts, option).items()}


def read_later_answers(texts: list[str], option: str) -> dict[int, Answers]:
    """SEQ:COMBATANT=REACTION, by the declaration that the window opens in."""
    answers: dict[int, Answers] = {}
    for where, answer in read_answers(texts, option).items():
        seq, colon, who = where.partition(":")
        if not colon or not re.fullmatch(_SEQ, seq):
            raise typer.BadParameter(f"{where!r} is not SEQ:COMBATANT.", param_hint=option)
        answers.setdefault(int(seq), {})[who] = answer
    return answers


def read_all_answers(texts: list[str], option: str) -> dict[str, Any]:
    """Answers in the declaration that is corrected (COMBATANT=...), and in later ones (SEQ:COMBATANT=...)."""
    own = [text for text in texts if ":" not in text.partition("=")[0]]
    later = [text for text in texts if text not in own]
    return {"replies": read_answers(own, option), "later_replies": read_later_answers(later, option)}


def read_impossible(text: str, option: str) -> str:
    if text not in ("drop", "keep", "stop"):
        raise typer.BadParameter(f"{text!r} is not one of drop, keep and stop.", param_hint=option)
    return text
