"""Features: what a class, a fighting style or a creature brings."""
