"""Abilities: what everybody can do. They spend the economy and grant capacity, actions or conditions."""
