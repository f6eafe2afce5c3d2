// @ts-check
/** Kinds of events that people look for together. */

export const FAMILIES = /** @type {Record<string, string[]>} */ ({
  attacks: ["attack_resolved"],
  damage: ["damaged"],
  healing: ["healed"],
  movement: ["moved"],
  conditions: ["condition_applied", "condition_removed"],
  "saves and checks": ["save_resolved", "check_resolved"],
  dice: ["rolled"],
  reactions: ["reaction_window_opened", "reaction_chosen", "reaction_declined", "reaction_used", "reaction_lapsed"],
  areas: ["area_affected", "terrain_changed"],
  resources: ["resource_changed", "action_granted", "action_removed", "cards_moved"],
  "rulings and notes": ["ruled", "manual_resolution_needed", "noted"],
  corrections: ["undone", "redone", "amended", "inserted", "forked"],
});
