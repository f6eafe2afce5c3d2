"""What developers run and users do not need."""
