"""Figures over the read models. matplotlib is loaded only when something is drawn."""
