"""Files that people write for fights: sheets, packs and scenarios, and the checks on them. It knows no ruleset."""
