// @ts-check
/** A declaration in progress: its targets, square and options, and a preview. */
import { batch, signal } from "@preact/signals";
import { squaresOf } from "../modules/fight.js";
import { get, Refused } from "./api.js";
import { acting, say, toNow } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../modules/types.js").Square} Square */
/** @typedef {{who: string, name: string, cost: string, parts: string[], options: any[], effects: any[], targets: string[], to: Square | null, weapon: string, given: Record<string, any>}} Draft */
/** @typedef {{squares: Square[], caught: {who: string, name: string, friend: boolean}[]}} Aim */
/** @typedef {{steps: {to: Square, cost: number}[], cost: number, may_react: {who: string, name: string, at: Square | null, reactions: string[]}[]}} Way */
/** @typedef {ReturnType<typeof makeDrafting>} Drafting */

/** @param {Table} table */
export function makeDrafting(table) {
  return {
    table, draft: signal(/** @type {Draft | null} */ (null)),
    aim: signal(/** @type {Aim | null} */ (null)), way: signal(/** @type {Way | null} */ (null)),
    /** Why it is not possible there. */
    whyNot: signal(""),
  };
}

/** @param {Drafting} drafting @param {any} choice An entry of the menu. */
export function begin(drafting, choice) {
  const { table, draft } = drafting;
  const who = acting(table);
  if (!who) return;
  toNow(table);
  const reach = (choice.effects ?? []).flatMap((/** @type {any} */ effect) => effect.in_reach ?? []);
  const near = [...new Set(reach.map((/** @type {any} */ one) => one.who))];
  const parts = choice.takes?.parts ?? [];
  forget(drafting);
  table.problem.value = "";
  draft.value = {
    who, name: choice.name, cost: choice.cost, parts, effects: choice.effects ?? [],
    options: choice.takes?.options ?? [],
    targets: parts.includes("target") && !parts.includes("destination") && near.length === 1 ? near : [],
    to: null, weapon: "", given: {},
  };
}

/** @param {Drafting} drafting */
export function cancel(drafting) {
  drafting.draft.value = null;
  forget(drafting);
}

/** @param {Drafting} drafting */
function forget({ aim, way, whyNot }) {
  aim.value = null;
  way.value = null;
  whyNot.value = "";
}

/** @param {Drafting} drafting @param {Partial<Draft>} changes */
export function change(drafting, changes) {
  const { draft } = drafting;
  if (!draft.value) return;
  draft.value = { ...draft.value, ...changes };
  if (draft.value.to && (changes.to || changes.given)) foresee(drafting, draft.value.to);
}

/** @param {Drafting} drafting @param {string} who */
export function toggleTarget(drafting, who) {
  const targets = drafting.draft.value?.targets ?? [];
  change(drafting, { targets: targets.includes(who) ? targets.filter((one) => one !== who) : [...targets, who] });
}

/** A square of the map was chosen: it is the destination, or the combatant there is a target. @param {Drafting} drafting @param {Square} square */
export function chooseSquare(drafting, square) {
  const { draft, table } = drafting;
  if (!draft.value) return;
  if (draft.value.parts.includes("destination")) return change(drafting, { to: square });
  const who = table.now.value.who ?? {};
  const there = Object.keys(who).filter((id) => !who[id].gone && squaresOf(who[id]).some(([x, y]) => x === square[0] && y === square[1]));
  if (there.length) toggleTarget(drafting, there.find((id) => !who[id].fallen) ?? there[0]);
}

/** Whom an area would catch or, for what is no area, the way there and who could react to it. @param {Drafting} drafting @param {Square} to */
async function foresee(drafting, [x, y]) {
  const { table, draft, aim, way, whyNot } = drafting;
  const { who, name, effects, given } = /** @type {Draft} */ (draft.value);
  const asked = new URLSearchParams({ action: name, column: String(x), row: String(y) });
  const options = JSON.stringify(chosen(given));
  const look = (/** @type {string} */ what) => get(`${table.at}/combatants/${encodeURIComponent(who)}/${what}?${asked}`).catch(unlessRefused);
  const caught = effects.length ? await look("aim") : null;
  if (!caught || caught.code === NO_AREA) asked.set("options", options);
  const walked = asked.has("options") ? await look("way") : null;
  if (draft.value?.to?.join() !== `${x},${y}` || JSON.stringify(chosen(draft.value.given)) !== options) return;
  const found = walked ?? caught;
  batch(() => {
    aim.value = found === caught && !(found instanceof Refused) ? found : null;
    way.value = found === walked && !(found instanceof Refused) ? found : null;
    whyNot.value = found instanceof Refused ? found.message : "";
  });
}

/** The options that are set. @param {Record<string, any>} given */
function chosen(given) {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
}

const NO_AREA = "aim/no-area";

/** @param {unknown} error @returns {Refused} */
function unlessRefused(error) {
  if (error instanceof Refused) return error;
  throw error;
}

/** @param {Drafting} drafting */
export async function declare(drafting) {
  const { draft, table } = drafting;
  if (!draft.value) return;
  const { who, name, targets, to, weapon, given } = draft.value;
  const options = chosen(given);
  const body = { who, action: name, targets, options, ...(to && { to }), ...(weapon && { weapon }) };
  const done = await say(table, "/declarations", body);
  if (done || table.wanted.value) cancel(drafting);
}
