// @ts-check
/** The map as a grid that a screen reader can walk, cell by cell, with the arrow keys. */
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { groundAt } from "./ground.js";
import { squaresOf } from "./fight.js";
import { healthInWords } from "./health.js";

/** @typedef {import("./types.js").State} State */

const STEPS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});

/**
 * Only the row of the cursor and those next to it are there; the counts say how many there are in all.
 *
 * @param {object} props
 * @param {import("./types.js").Fight["bounds"]} props.bounds
 * @param {State} props.state
 * @param {[number, number]} props.at
 * @param {(at: [number, number]) => void} props.onWalk
 * @param {(isIn: boolean) => void} props.onFocus
 * @param {(square: [number, number]) => void} [props.onChoose] What Enter and Space do with a square.
 */
export function WalkableGrid({ bounds, state, at, onWalk, onFocus, onChoose }) {
  const grid = useRef(/** @type {HTMLElement | null} */ (null));
  const here = useRef(at); // keys may come faster than the grid is drawn
  here.current = at;
  const isWalking = useRef(false);
  useLayoutEffect(() => { // at once, because the cell that had the focus may be gone, and the next key with it
    if (isWalking.current) document.getElementById("map-cell")?.focus();
    isWalking.current = false;
  });
  const occupied = whoIsWhere(state);
  const rows = [at[1] - 1, at[1], at[1] + 1].filter((y) => y >= bounds.y && y < bounds.y + bounds.height);
  const columns = Array.from({ length: bounds.width }, (_, number) => bounds.x + number);
  const walk = (/** @type {KeyboardEvent} */ event) => {
    const isChosen = onChoose && (event.key === "Enter" || event.key === " ");
    const next = isChosen ? here.current : placeAfter(event, here.current, bounds);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    if (isChosen) return onChoose(next);
    here.current = next;
    isWalking.current = true;
    onWalk(next);
  };
  return html`
    <div class="sr-only" role="grid" aria-label="Map, square by square" aria-rowcount=${bounds.height} aria-colcount=${bounds.width}
      ref=${grid} onKeyDown=${walk} onFocusIn=${() => onFocus(true)} onFocusOut=${() => onFocus(false)}>
      ${rows.map((y) => html`
        <div role="row" aria-rowindex=${y - bounds.y + 1} key=${y}>
          ${columns.map((x) => html`
            <span role="gridcell" key=${x} aria-colindex=${x - bounds.x + 1}
              id=${x === at[0] && y === at[1] ? "map-cell" : undefined}
              tabindex=${x === at[0] && y === at[1] ? 0 : -1}>${described(state, occupied, x, y)}</span>`)}
        </div>`)}
    </div>`;
}

/** @param {KeyboardEvent} event @param {[number, number]} at @param {import("./types.js").Fight["bounds"]} bounds @returns {[number, number] | null} */
function placeAfter(event, at, bounds) {
  const step = STEPS[event.key];
  if (event.key === "Home") return [bounds.x, at[1]];
  if (event.key === "End") return [bounds.x + bounds.width - 1, at[1]];
  if (!step) return null;
  const within = (/** @type {number} */ value, /** @type {number} */ from, /** @type {number} */ size) => Math.max(from, Math.min(from + size - 1, value));
  return [within(at[0] + step[0], bounds.x, bounds.width), within(at[1] + step[1], bounds.y, bounds.height)];
}

/** @param {State} state */
function whoIsWhere(state) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const one of Object.values(state.who ?? {})) {
    if (one.gone) continue;
    const words = `${one.name}, ${one.side}${healthInWords(one) ? `, ${healthInWords(one)}` : ""}${one.fallen ? ", fallen" : ""}`;
    for (const square of squaresOf(one)) found.set(square.join(), [...(found.get(square.join()) ?? []), words]);
  }
  return found;
}

/** @param {State} state @param {Map<string, string[]>} occupied @param {number} x @param {number} y */
function described(state, occupied, x, y) {
  const there = occupied.get(`${x},${y}`);
  return `${x},${y}: ${[...(there ?? []), groundAt(state, x, y)].join("; ")}`;
}
