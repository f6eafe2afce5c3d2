"""Tags with a hierarchy: `resource.spellslot.1` is a `resource.spellslot`, which is a `resource`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class Tags:
    """A set of tags that knows what each of them is a kind of. Iterates in alphabetical order."""

    def __init__(self, tags: Iterable[str] = ()) -> None:
        self._tags = frozenset(tags)
        self._all = frozenset(kind for tag in self._tags for kind in lineage(tag))

    def __contains__(self, tag: object) -> bool:
        """Whether one of them is this tag or a kind of it."""
        return tag in self._all

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._tags))

    def __or__(self, other: Iterable[str]) -> Tags:
        return Tags([*self, *other])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tags) and self._tags == other._tags

    def __hash__(self) -> int:
        return hash(self._tags)

    def __repr__(self) -> str:
        return f"Tags({', '.join(self)})"

    def below(self, tag: str) -> list[str]:
        """The tags that are this tag or a kind of it."""
        return [own for own in self if tag in lineage(own)]


def lineage(tag: str) -> list[str]:
    """The tag and everything that it is a kind of, the nearest first."""
    parts = tag.split(".")
    return [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
