// @ts-check
/** The keys of a table, in addition to those of a replay. */
import { open } from "../modules/keys.js";
import { cancel } from "./draft.js";
import { toNow } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./draft.js").Drafting} Drafting */
/** @typedef {import("../modules/keys.js").Key} Key */

/** @param {Table} table @param {Drafting} drafting @returns {Key[]} */
export function keysOf(table, drafting) {
  const shown = [
    { keys: ["a"], shown: "a", about: "Show the actions", can: table.canAct, act: () => show(table, "actions") },
    { keys: ["s"], shown: "s", about: "Direct the fight", can: table.isGm, act: () => show(table, "direct") },
    { keys: ["q"], shown: "q", about: "Go to the question that waits: a reaction, dice, or a correction", can: true, act: () => focusOn(".prompts [data-asks]") },
    { keys: ["x"], shown: "x", about: "Cancel the declaration", can: table.canAct, act: () => cancel(drafting) },
    { keys: ["f"], shown: "f", about: "Back to now", can: true, act: () => toNow(table) },
  ];
  return shown.filter((key) => key.can);
}

/** @param {Table} table @param {string} tab */
function show(table, tab) {
  open(table.player, tab);
  focusOn("#panel [data-scrolls]");
}

/** @param {string} selector */
function focusOn(selector) {
  requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus());
}
