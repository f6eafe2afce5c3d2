"""Import of whole sources: all spells and creatures, as entries and sheets of a pack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from combatlog.importers.statblocks.fivee_bits import installed
from combatlog.importers.statblocks.stat_block_formats import Compendium
from combatlog.rules.content.bestiary import CardLine, ImportedCreatures, MappingCount, Progress, Unmapped
from combatlog.rules.content.packs import Pack
from combatlog.rules.dnd5e.creatures.sheet import read_sheet
from combatlog.rules.dnd5e.importing.printed_spells import ConvertedSpell, make_spell, shipped_spell
from combatlog.rules.dnd5e.importing.sheet_draft import MappingEntry, MappingKind, MappingResult, SheetDraft, slug
from combatlog.rules.dnd5e.importing.spellcasting import NEVER_IN_A_FIGHT
from combatlog.rules.dnd5e.importing.stat_blocks import convert
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Data


class CompendiumSource:
    """A source whose creatures are converted one by one, on demand. Spells are converted once."""

    def __init__(self, compendium: Compendium) -> None:
        self.compendium = compendium
        self.borrows = False
        """Whether a spell was taken from the SRD because the source has only its name."""
        self._made: dict[str, ConvertedSpell] = {}

    @cached_property
    def _spell_ids(self) -> dict[str, str]:
        return {slug(id): id for id in self.compendium.spells()}

    @cached_property
    def ids(self) -> dict[str, str]:
        """The ids of its creatures by slug."""
        return {slug(id): id for id in self.compendium.creatures()}

    def find(self, name: str) -> str | None:
        """The id of a creature, found by any spelling of its id or name."""
        wanted = slug(name)
        if wanted in self.ids:
            return self.ids[wanted]
        return next((id for id in self.ids.values() if slug(self.compendium.creature(id).name) == wanted), None)

    def spell(self, name: str) -> ConvertedSpell | None:
        wanted = slug(name)
        if wanted not in self._made:
            id = self._spell_ids.get(wanted)
            made = self._make(id) if id is not None else self._elsewhere(wanted)
            if made is None:
                return None
            self._made[wanted] = made
        return self._made[wanted]

    def _make(self, id: str) -> ConvertedSpell:
        with _expected(id):
            return make_spell(self.compendium.spell(id))

    def _elsewhere(self, wanted: str) -> ConvertedSpell | None:
        """A spell of which the source has only the name: from the ruleset, or from the SRD if that is installed."""
        shipped = shipped_spell(wanted)
        if shipped is not None or self._srd is None or wanted not in self._srd_ids:
            return shipped
        self.borrows = True
        return make_spell(self._srd.spell(self._srd_ids[wanted]))

    @cached_property
    def _srd(self) -> Compendium | None:
        return installed()

    @cached_property
    def _srd_ids(self) -> dict[str, str]:
        return {slug(id): id for id in self._srd.spells()} if self._srd is not None else {}

    @property
    def source(self) -> str:
        """The source of the content, with the attribution of the SRD if spells were taken from it."""
        own = self.compendium.origin.sentence
        return f"{own} Spells: {self._srd.origin.sentence}" if self.borrows and self._srd is not None else own

    def draft(self, id: str) -> SheetDraft:
        with _expected(id):
            made = convert(self.compendium.creature(id), self.compendium.origin, self._entry)
        made.sheet["source"] = self.source[:1000]
        return made

    def _entry(self, name: str) -> Data | str | None:
        found = self.spell(name)
        if found is not None and found.takes_long:
            return NEVER_IN_A_FIGHT
        return found.entry if found is not None else None

    # A whole pack

    def imported(self, name: str, progress: Progress | None = None) -> ImportedCreatures:
        spells, creatures = list(self._spell_ids), list(self.ids.items())
        total = len(spells) + len(creatures)
        entries: list[MappingEntry] = []
        definitions: dict[str, Data] = {}
        unusable: list[CardLine] = []
        for done, spell in enumerate(spells, start=1):
            try:
                made = self.spell(spell)
            except Refusal as refusal:
                unusable.append(CardLine(spell, refusal.sentence))
                continue
            assert made is not None
            entries.append(MappingEntry(MappingKind.SPELL, "", spell, made.fate))
            if isinstance(made.entry, dict):
                definitions[spell] = {key: value for key, value in made.entry.items() if key != "name"}
            _tell(progress, done, total)
        sheets: dict[str, Data] = {}
        for done, (short, id) in enumerate(creatures, start=len(spells) + 1):
            try:
                draft = self.draft(id)
            except Refusal as refusal:
                unusable.append(CardLine(id, refusal.sentence))
                continue
            problem = _problem_with(draft)
            if problem is None:
                sheets[short] = draft.sheet
                entries += draft.entries
            else:
                unusable.append(CardLine(draft.block.name, problem))
            _tell(progress, done, total)
        pack = Pack(name=name, sheets=sheets, entries={"spells": definitions} if definitions else {})
        return ImportedCreatures(pack, self.source, tuple(tallies(entries)), tuple(_unmapped(entries)), tuple(unusable))


@contextmanager
def _expected(id: str) -> Iterator[None]:
    """Refuse an entry whose fields do not have the types of its format, since files can come from anywhere."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError) as error:
        sentence = f"{id} cannot be read: a field has an unexpected form ({type(error).__name__}: {error})."
        raise Refusal("pack-import/unreadable", sentence[:300], what=id) from error


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)


def _problem_with(draft: SheetDraft) -> str | None:
    try:
        read_sheet(draft.sheet).loadout  # noqa: B018 (computed on access, and can be refused)
    except Refusal as refusal:
        return refusal.sentence
    return None


def tallies(entries: list[MappingEntry]) -> Iterator[MappingCount]:
    for kind in MappingKind:
        fates = Counter(entry.fate for entry in entries if entry.kind is kind)
        yield MappingCount(
            kind,
            fates[MappingResult.MAPPED],
            fates[MappingResult.IN_PART],
            fates[MappingResult.LEFT],
            fates[MappingResult.NO_BEARING],
        )


def _unmapped(entries: list[MappingEntry]) -> Iterator[Unmapped]:
    for entry in entries:
        if entry.fate in (MappingResult.LEFT, MappingResult.IN_PART):
            yield Unmapped(entry.kind, entry.name, entry.owner, entry.fate is MappingResult.IN_PART)
