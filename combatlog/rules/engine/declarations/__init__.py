"""Declarations that every ruleset has, such as joining, leaving and the GM's rulings."""
