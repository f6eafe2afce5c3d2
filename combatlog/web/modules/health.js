// @ts-check
/** The health of a combatant. */

/** @typedef {import("./types.js").Combatant} Combatant */

const LOOKS = /** @type {Record<string, number>} */ ({ unhurt: 1, hurt: 0.75, bloodied: 0.5, "nearly down": 0.2, down: 0 });

/** The share of its health that a combatant has; null if it is unknown. @param {Combatant} one */
export function healthShare(one) {
  if (one.health) return LOOKS[one.health] ?? null;
  const bounded = Object.values(one.vitals ?? {}).find(([, most]) => most);
  return bounded ? Math.max(0, Math.min(1, bounded[0] / /** @type {number} */ (bounded[1]))) : null;
}

/** @param {Combatant} one */
export function healthInWords(one) {
  if (one.health) return one.health;
  return Object.entries(one.vitals ?? {}).map(([name, [left, most]]) => `${left}${most === null ? "" : ` of ${most}`} ${name}`).join(", ");
}
