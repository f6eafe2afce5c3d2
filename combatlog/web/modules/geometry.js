// @ts-check
/** Squares as lengths. */
import { squaresOf } from "./fight.js";

/** @typedef {import("./types.js").Combatant} Combatant */

export const SQUARE = 40;

/** @param {Combatant} one */
export function boxOf(one) {
  const squares = squaresOf(one);
  const [columns, rows] = [squares.map((square) => square[0]), squares.map((square) => square[1])];
  const [left, top] = [Math.min(...columns), Math.min(...rows)];
  return [left * SQUARE, top * SQUARE, (Math.max(...columns) - left + 1) * SQUARE, (Math.max(...rows) - top + 1) * SQUARE];
}

/** The middle of a combatant's space. @param {Combatant} one */
export function middleOf(one) {
  const [left, top, wide, high] = boxOf(one);
  return [left + wide / 2, top + high / 2];
}
