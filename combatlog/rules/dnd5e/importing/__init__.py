"""Import: printed stat blocks and spells to sheets and pack entries of dnd5e."""
