// @ts-check
/** A declaration that is being put together: at whom, where, with what; and whom it would catch. */
import { signal } from "@preact/signals";
import { squaresOf } from "../modules/fight.js";
import { get, Refused } from "./api.js";
import { acting, say, toNow } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../modules/types.js").Square} Square */
/** @typedef {{who: string, name: string, cost: string, parts: string[], options: any[], effects: any[], targets: string[], to: Square | null, weapon: string, given: Record<string, any>}} Draft */
/** @typedef {{squares: Square[], caught: {who: string, name: string, friend: boolean}[]}} Aim */
/** @typedef {ReturnType<typeof makeDrafting>} Drafting */

/** @param {Table} table */
export function makeDrafting(table) {
  return { table, draft: signal(/** @type {Draft | null} */ (null)), aim: signal(/** @type {Aim | null} */ (null)) };
}

/** @param {Drafting} drafting @param {any} choice An entry of the menu. */
export function begin({ table, draft, aim }, choice) {
  const who = acting(table);
  if (!who) return;
  toNow(table);
  const reach = (choice.effects ?? []).flatMap((/** @type {any} */ effect) => effect.in_reach ?? []);
  const near = [...new Set(reach.map((/** @type {any} */ one) => one.who))];
  const parts = choice.takes?.parts ?? [];
  aim.value = null;
  table.problem.value = "";
  draft.value = {
    who, name: choice.name, cost: choice.cost, parts, effects: choice.effects ?? [],
    options: choice.takes?.options ?? [],
    targets: parts.includes("target") && !parts.includes("destination") && near.length === 1 ? near : [],
    to: null, weapon: "", given: {},
  };
}

/** @param {Drafting} drafting */
export function cancel({ draft, aim }) {
  draft.value = null;
  aim.value = null;
}

/** @param {Drafting} drafting @param {Partial<Draft>} changes */
export function change(drafting, changes) {
  const { draft } = drafting;
  if (!draft.value) return;
  draft.value = { ...draft.value, ...changes };
  if (changes.to) foresee(drafting, changes.to);
}

/** @param {Drafting} drafting @param {string} who */
export function toggleTarget(drafting, who) {
  const targets = drafting.draft.value?.targets ?? [];
  change(drafting, { targets: targets.includes(who) ? targets.filter((one) => one !== who) : [...targets, who] });
}

/** A square of the map was chosen: it is the destination, or whoever stands there is a target. @param {Drafting} drafting @param {Square} square */
export function chooseSquare(drafting, square) {
  const { draft, table } = drafting;
  if (!draft.value) return;
  if (draft.value.parts.includes("destination")) return change(drafting, { to: square });
  const who = table.now.value.who ?? {};
  const there = Object.keys(who).filter((id) => !who[id].gone && squaresOf(who[id]).some(([x, y]) => x === square[0] && y === square[1]));
  if (there.length) toggleTarget(drafting, there.find((id) => !who[id].fallen) ?? there[0]);
}

/** Whom an area would catch; what is no area has no preview. @param {Drafting} drafting @param {Square} to */
async function foresee({ table, draft, aim }, [x, y]) {
  const { who, name } = /** @type {Draft} */ (draft.value);
  const asked = new URLSearchParams({ action: name, column: String(x), row: String(y) });
  try {
    const found = await get(`${table.at}/combatants/${encodeURIComponent(who)}/aim?${asked}`);
    if (draft.value?.to?.join() === `${x},${y}`) aim.value = found;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    aim.value = null;
  }
}

/** @param {Drafting} drafting */
export async function declare(drafting) {
  const { draft, table } = drafting;
  if (!draft.value) return;
  const { who, name, targets, to, weapon, given } = draft.value;
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
  const body = { actor: who, action: name, targets, options, ...(to && { to }), ...(weapon && { weapon }) };
  const done = await say(table, "/declarations", body);
  if (done || table.wanted.value) cancel(drafting);
}
