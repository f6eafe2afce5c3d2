// @ts-check
/** The ground of a map. */
import { html } from "htm/preact";
import { SQUARE as SIZE } from "./geometry.js";

/** The letters of a map; `projections.battle.clock_and_map` has the same. */
const TERRAIN = /** @type {Record<string, string>} */ ({
  "#": "wall", "~": "difficult", w: "water", "^": "cliff", ":": "chasm", "+": "door", "/": "open-door",
});
const NAMES = /** @type {Record<string, string>} */ ({
  ".": "floor", "#": "wall", "~": "difficult terrain", w: "deep water", "^": "steep ground", ":": "a chasm",
  "+": "a closed door", "/": "an open door", x: "blocking terrain", "-": "impassable terrain", "¤": "a terminal",
});

/**
 * @param {object} props
 * @param {import("./types.js").Fight["bounds"]} props.bounds
 * @param {Record<string, string>} [props.map]
 * @param {Record<string, string>} [props.marks]
 */
export function Ground({ bounds, map = {}, marks = {} }) {
  const { x, y, width, height } = bounds;
  const squares = Object.entries(map).flatMap(([row, letters]) => [...letters].map((letter, column) => ({ letter, column, row: Number(row) })));
  return html`
    <g class="ground">
      <rect class="floor" x=${x * SIZE} y=${y * SIZE} width=${width * SIZE} height=${height * SIZE} />
      ${squares.filter(({ letter }) => TERRAIN[letter]).map((square) => html`<${Square} ...${square} />`)}
      <path class="lines" d=${gridLines(bounds)} />
      ${Object.entries(marks).map(([square, mark]) => html`<${Landmark} square=${square} mark=${mark} />`)}
    </g>`;
}

/** @param {{letter: string, column: number, row: number}} props */
function Square({ letter, column, row }) {
  const [x, y, kind] = [column * SIZE, row * SIZE, TERRAIN[letter]];
  const sign = SIGNS[kind];
  return html`
    <rect class=${`terrain ${kind}`} x=${x} y=${y} width=${SIZE} height=${SIZE} />
    ${sign && html`<path class=${`sign ${kind}`} transform="translate(${x} ${y})" d=${sign} />`}`;
}

const SIGNS = /** @type {Record<string, string>} */ ({
  difficult: "M8 14l6 -6M20 14l6 -6M14 26l6 -6M26 26l6 -6M8 36l6 -6",
  water: "M6 14q5 -5 10 0t10 0M12 26q5 -5 10 0t10 0",
  cliff: "M6 30l10 -16l8 12l6 -8l6 12",
  chasm: "M8 8l24 24M32 8l-24 24",
  door: "M4 20h32M20 14v12",
  "open-door": "M4 6v28M36 6v28",
});

/** @param {{square: string, mark: string}} props */
function Landmark({ square, mark }) {
  const [x, y] = square.split(",").map(Number);
  return html`<text class="landmark" x=${(x + 0.5) * SIZE} y=${(y + 0.5) * SIZE} dy="0.35em">${mark}</text>`;
}

/** @param {import("./types.js").Fight["bounds"]} bounds */
function gridLines({ x, y, width, height }) {
  const columns = Array.from({ length: width + 1 }, (_, at) => `M${(x + at) * SIZE} ${y * SIZE}v${height * SIZE}`);
  const rows = Array.from({ length: height + 1 }, (_, at) => `M${x * SIZE} ${(y + at) * SIZE}h${width * SIZE}`);
  return [...columns, ...rows].join("");
}

/** What a square is, in words. @param {import("./types.js").State} state @param {number} x @param {number} y */
export function groundAt(state, x, y) {
  const mark = state.marks?.[`${x},${y}`];
  return NAMES[mark ?? state.map?.[y]?.[x] ?? "."] ?? "floor";
}
