"""Files that people write for fights: sheets, packs and scenarios, and their checks. Independent of any ruleset."""
