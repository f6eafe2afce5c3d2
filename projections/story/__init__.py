"""Words for people: events, rolls and differences as sentences, and a fight as a story."""
