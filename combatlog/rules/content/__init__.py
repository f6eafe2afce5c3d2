"""What people write: sheets, packs, scenario files, and the checks they go through. Knows no ruleset."""
