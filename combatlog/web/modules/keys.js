// @ts-check
/** Every key with its action. The handler and the help are made from this table. */
import { changeSpeed, goTo, goToRound, searchOn, step, toggleMode, togglePlay } from "./player.js";
import { toggleTheme } from "./theme.js";

/** @typedef {import("./player.js").Player} Player */

/** @typedef {{keys: string[], shown: string, about: string, act: (player: Player, key: string) => void}} Key */

/** @type {Key[]} */
export const KEYS = [
  { keys: ["k", " "], shown: "k or Space", about: "Play or pause", act: togglePlay },
  { keys: ["ArrowRight"], shown: "→", about: "Next event", act: (p) => step(p, "event", 1) },
  { keys: ["ArrowLeft"], shown: "←", about: "Previous event", act: (p) => step(p, "event", -1) },
  { keys: ["l"], shown: "l", about: "Next declaration", act: (p) => step(p, "declaration", 1) },
  { keys: ["j"], shown: "j", about: "Previous declaration", act: (p) => step(p, "declaration", -1) },
  { keys: ["ArrowDown", "t"], shown: "↓ or t", about: "Next turn", act: (p) => step(p, "turn", 1) },
  { keys: ["ArrowUp", "T"], shown: "↑ or T", about: "Previous turn", act: (p) => step(p, "turn", -1) },
  { keys: ["PageDown", "r"], shown: "Page Down or r", about: "Next round", act: (p) => step(p, "round", 1) },
  { keys: ["PageUp", "R"], shown: "Page Up or R", about: "Previous round", act: (p) => step(p, "round", -1) },
  { keys: [..."123456789"], shown: "1 to 9", about: "Go to that round", act: (p, key) => goToRound(p, Number(key)) },
  { keys: ["0", "Home", "g"], shown: "0, Home or g", about: "Go to the beginning", act: (p) => goTo(p, 0) },
  { keys: ["End", "G"], shown: "End or G", about: "Go to the end", act: (p) => goTo(p, Infinity) },
  { keys: ["+", "="], shown: "+", about: "Faster", act: (p) => changeSpeed(p, 1) },
  { keys: ["-"], shown: "−", about: "Slower", act: (p) => changeSpeed(p, -1) },
  { keys: ["/"], shown: "/", about: "Search the log", act: (p) => { open(p, "log"); focusOn("search"); } },
  { keys: ["n"], shown: "n", about: "Next match", act: (p) => searchOn(p, 1) },
  { keys: ["N"], shown: "N", about: "Previous match", act: (p) => searchOn(p, -1) },
  { keys: ["e"], shown: "e", about: "Explain the event", act: (p) => open(p, "event") },
  { keys: ["c"], shown: "c", about: "Show the corrections", act: (p) => open(p, "corrections") },
  { keys: ["b"], shown: "b", about: "As it was believed, or as it counts now", act: (p) => { if (p.fight.isCorrected) toggleMode(p); } },
  { keys: ["m"], shown: "m", about: "Walk the map with the arrow keys; Esc leaves it", act: () => focusOn("map-cell") },
  { keys: ["p"], shown: "p", about: "Projector: large, without the side panel", act: (p) => { p.projector.value = !p.projector.value; } },
  { keys: ["d"], shown: "d", about: "Dark or light", act: toggleTheme },
  { keys: ["?"], shown: "?", about: "This help", act: (p) => { p.help.value = !p.help.value; } },
  { keys: ["Escape"], shown: "Esc", about: "Close the help, leave a field", act: leave },
];

const PASSING = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"];

/** @param {Player} player @param {string} tab */
export function open(player, tab) {
  player.projector.value = false;
  player.tab.value = tab;
}

/** @param {string} id */
function focusOn(id) {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}

/** @param {Player} player */
function leave(player) {
  player.help.value = false;
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** @param {Player} player @param {Key[]} [others] Keys that this page has besides those of a replay. */
export function listen(player, others = []) {
  const table = new Map([...KEYS, ...others].flatMap((entry) => entry.keys.map((key) => [key, entry])));
  document.addEventListener("keydown", (event) => {
    const entry = table.get(event.key);
    if (!entry || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key !== "Escape" && (!player.keys.value && event.key !== "?" || isTaken(event))) return;
    event.preventDefault();
    entry.act(player, event.key);
  });
}

/** Whether the element that has the focus does something of its own with the key. @param {KeyboardEvent} event */
function isTaken(event) {
  const target = event.target;
  if (!(target instanceof Element)) return false;
  if (target.matches("input:not([type=checkbox], [type=radio], [type=range]), select, textarea")) return true;
  if (event.key === " " && target.closest("button, summary, input, a")) return true;
  if (target.matches("input[type=range]")) return ["ArrowLeft", "ArrowRight", ...PASSING].includes(event.key);
  return PASSING.includes(event.key) && target.closest("[data-scrolls]") !== null;
}
