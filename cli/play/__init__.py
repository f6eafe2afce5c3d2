"""`combatlog play`: a shell that knows the fight and whose turn it is. `verbs` lists what it understands."""
