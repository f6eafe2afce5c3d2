"""From stat blocks and spells as they are printed to sheets and pack entries of dnd5e."""
