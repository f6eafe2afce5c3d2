"""`combatlog play`: a shell that knows the fight and the turn. `verbs` lists what it understands."""
