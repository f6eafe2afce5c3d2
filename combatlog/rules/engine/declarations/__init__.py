"""The declarations that exist in every ruleset, such as joining, leaving and the GM's rulings."""
