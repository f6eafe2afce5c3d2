// @ts-check
/** The map: ground, effects, and combatants. */
import { html } from "htm/preact";
import { useMemo } from "preact/hooks";
import { squaresOf } from "./fight.js";
import { boxOf, SQUARE } from "./geometry.js";
import { healthShare } from "./health.js";
import { Ground } from "./ground.js";
import { Effects, Path } from "./effects.js";

/** @typedef {import("./types.js").Fight} Fight */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Combatant} Combatant */

/**
 * @param {object} props
 * @param {Fight} props.fight
 * @param {State} props.state
 * @param {import("./types.js").FightEvent[]} [props.happening] The events of the declaration, up to the one shown.
 * @param {string | null} [props.selected]
 * @param {[number, number] | null} [props.cursor]
 * @param {(who: string) => void} [props.onSelect]
 * @param {string} [props.label]
 * @param {import("./types.js").Aimed} [props.aimed] The declaration in progress.
 * @param {(square: [number, number]) => void} [props.onSquare] Set if squares can be chosen, too.
 */
export function BattleMap({ fight, state, happening = [], selected = null, cursor = null, onSelect, label, aimed, onSquare }) {
  const { x, y, width, height } = fight.bounds;
  const ground = useMemo(() => html`<${Ground} bounds=${fight.bounds} map=${state.map} marks=${state.marks} />`, [state.map, state.marks]);
  const who = state.who ?? {};
  const here = Object.entries(who).filter(([, one]) => one.at && !one.gone);
  const lying = here.filter(([, one]) => one.fallen);
  const standing = here.filter(([, one]) => !one.fallen);
  const token = (/** @type {[string, Combatant]} */ [id, one]) => html`
    <${Token} key=${id} id=${id} one=${one} side=${fight.sides.indexOf(one.side)} isTurn=${state.turn === id}
      isSelected=${selected === id} isAimedAt=${aimed?.who.includes(id)} onSelect=${onSquare ? undefined : onSelect} mark=${markOf(id, one, here)} />`;
  const choose = onSquare && ((/** @type {any} */ event) => onSquare(squareAt(event)));
  return html`
    <svg class=${onSquare ? "map aiming" : "map"} viewBox="${x * SQUARE - MARGIN} ${y * SQUARE - MARGIN} ${width * SQUARE + 2 * MARGIN} ${height * SQUARE + 2 * MARGIN}" role="img" aria-label=${label ?? "Map"} onClick=${choose}>
      ${ground}
      ${lying.map(token)}
      <${Effects} happening=${happening} who=${who} isBelow />
      ${aimed && html`<g class="aimed">${aimed.squares.map(([column, row]) => html`<rect x=${column * SQUARE} y=${row * SQUARE} width=${SQUARE} height=${SQUARE} />`)}
        ${aimed.way.length > 1 && html`<${Path} squares=${aimed.way} />`}</g>`}
      ${standing.map(token)}
      <${Effects} happening=${happening} who=${who} />
      ${cursor && html`<rect class="cursor" x=${cursor[0] * SQUARE + 1} y=${cursor[1] * SQUARE + 1} width=${SQUARE - 2} height=${SQUARE - 2} />`}
    </svg>`;
}

/** The margin around the map for names, which are wider than squares and stand below them. */
const MARGIN = 12;

/** The square that was clicked. @param {MouseEvent} event @returns {[number, number]} */
function squareAt(event) {
  const svg = /** @type {SVGSVGElement} */ (event.currentTarget);
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
  return [Math.floor(point.x / SQUARE), Math.floor(point.y / SQUARE)];
}

/** The letters on a token: one, or two if another combatant here begins with the same letter. @param {string} id @param {Combatant} one @param {[string, Combatant][]} here */
function markOf(id, one, here) {
  const [first = "?", ...rest] = [...one.name];
  const isShared = here.some(([other, { name }]) => other !== id && [...name][0] === first);
  const last = rest.findLast((letter) => letter.trim());
  const number = one.name.match(/\d+$/)?.[0];
  return isShared ? first + (number ?? (rest[0]?.trim() || last || "")) : first;
}

/**
 * @param {object} props
 * @param {string} props.id
 * @param {Combatant} props.one
 * @param {number} props.side
 * @param {boolean} props.isTurn
 * @param {boolean} props.isSelected
 * @param {boolean} [props.isAimedAt]
 * @param {string} props.mark
 * @param {(who: string) => void} [props.onSelect]
 */
function Token({ id, one, side, isTurn, isSelected, isAimedAt, mark, onSelect }) {
  const [left, top, wide, high] = boxOf(one);
  const share = healthShare(one);
  const r = Math.min(wide, high) / 2 - 4;
  const names = ["token", `side-${side % 5}`, isTurn && "turn", isSelected && "selected", isAimedAt && "aimed-at", one.fallen && "fallen", one.spaces && "large"];
  return html`
    <g class=${names.filter(Boolean).join(" ")} style=${{ transform: `translate(${left}px, ${top}px)` }}
      onClick=${onSelect && (() => onSelect(id))}>
      <title>${one.name}</title>
      ${one.spaces && squaresOf(one).map(([x, y]) => html`<rect class="footprint" x=${x * SQUARE - left + 1} y=${y * SQUARE - top + 1} width=${SQUARE - 2} height=${SQUARE - 2} />`)}
      <${Shape} side=${side} cx=${wide / 2} cy=${high / 2} r=${r} />
      <text class="letter" x=${wide / 2} y=${high / 2} dy="0.35em">${mark}</text>
      ${one.fallen && html`<path class="cross" d="M${wide / 2 - r} ${high / 2 - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}" />`}
      ${share !== null && !one.fallen && html`
        <rect class="bar" x="4" y=${high - 5} width=${wide - 8} height="4" rx="2" />
        <rect class=${`bar-left ${share <= 0.25 ? "low" : share <= 0.5 ? "half" : ""}`} x="4" y=${high - 5} width=${Math.max(0, (wide - 8) * share)} height="4" rx="2" />`}
      ${Object.keys(one.conditions ?? {}).length > 0 && !one.fallen && html`<circle class="condition" cx=${wide - 7} cy="7" r="5" />`}
      <text class="name" x=${wide / 2} y=${high + 9}>${shortened(one.name)}</text>
    </g>`;
}

/** Sides have shapes besides colours. @param {{side: number, cx: number, cy: number, r: number}} props */
function Shape({ side, cx, cy, r }) {
  if (side % 5 === 0) return html`<circle class="body" cx=${cx} cy=${cy} r=${r} />`;
  if (side % 5 === 1) return html`<rect class="body" x=${cx - r} y=${cy - r} width=${2 * r} height=${2 * r} rx=${r / 3} />`;
  const corners = [6, 3, 8][side % 5 - 2] ?? 6;
  const points = Array.from({ length: corners }, (_, at) => {
    const angle = (2 * Math.PI * at) / corners - Math.PI / 2;
    return `${cx + r * Math.cos(angle)},${cy + r * Math.sin(angle)}`;
  });
  return html`<polygon class="body" points=${points.join(" ")} />`;
}

/** @param {string} name */
function shortened(name) {
  const letters = [...name];
  return letters.length > 9 ? `${letters.slice(0, 8).join("")}…` : name;
}
