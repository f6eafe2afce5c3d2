"""What people with access to the database, or with a file to import, may try: each attack as a test."""
