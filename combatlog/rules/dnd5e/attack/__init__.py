"""Attacks and damage: the phases of an attack, its targets, and the weapons in hand."""
