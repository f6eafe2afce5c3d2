"""Features that come with a class, a fighting style, a feat or a kind of creature."""
