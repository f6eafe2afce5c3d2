"""Features that come with a class, a fighting style or a kind of creature."""
