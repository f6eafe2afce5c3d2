// @ts-check
/** Effects on the map: the path of a move, areas, attacks with cover, wounds. */
import { html } from "htm/preact";
import { boxOf, middleOf, SQUARE as SIZE } from "./geometry.js";

/** @typedef {import("./types.js").FightEvent} FightEvent */
/** @typedef {Record<string, import("./types.js").Combatant>} Everybody */

/** @param {{happening: FightEvent[], who: Everybody, isBelow?: boolean}} props */
export function Effects({ happening, who, isBelow = false }) {
  const drawn = happening.filter((event) => event.draw);
  const of = (/** @type {string} */ kind) => drawn.filter((event) => event.draw?.[0] === kind);
  const latest = happening[happening.length - 1];
  if (isBelow) return html`<g class="effects">${of("area").slice(-1).map((event) => html`<${Area} event=${event} />`)}<${Ways} steps=${of("step")} /></g>`;
  return html`
    <g class="effects">
      ${of("attack").slice(-1).map((event) => html`<${Attack} event=${event} who=${who} />`)}
      ${[...of("hurt"), ...of("heal")].filter((event) => event === latest).map((event) => html`<${Wound} event=${event} who=${who} />`)}
    </g>`;
}

/** @param {{event: FightEvent}} props */
function Area({ event }) {
  const [, origin, squares, , source] = /** @type {any[]} */ (event.draw);
  const covered = squares.flatMap((/** @type {number} */ x, /** @type {number} */ at) => (at % 2 ? [] : [[x, squares[at + 1]]]));
  return html`
    <g class="area">
      ${covered.map((/** @type {[number, number]} */ [x, y]) => html`<rect x=${x * SIZE} y=${y * SIZE} width=${SIZE} height=${SIZE} />`)}
      <text x=${(origin[0] + 0.5) * SIZE} y=${origin[1] * SIZE + 12}>${source}</text>
    </g>`;
}

/** One line for each combatant that moved. @param {{steps: FightEvent[]}} props */
function Ways({ steps }) {
  const movers = [...new Set(steps.map((event) => event.draw?.[1]))];
  return html`${movers.map((mover) => {
    const own = steps.filter((event) => event.draw?.[1] === mover);
    const squares = [own[0].draw?.[2], ...own.map((event) => event.draw?.[3])].filter(Boolean);
    const isForced = own.some((event) => event.draw?.[4]);
    return html`<${Path} squares=${squares} isForced=${isForced} />`;
  })}`;
}

/** A line from square to square. @param {{squares: import("./types.js").Square[], isForced?: boolean}} props */
export function Path({ squares, isForced = false }) {
  const points = squares.map(([x, y]) => `${(x + 0.5) * SIZE},${(y + 0.5) * SIZE}`).join(" ");
  return html`<g class=${isForced ? "way forced" : "way"}>
    <polyline points=${points} />
    ${squares.slice(0, -1).map(([x, y]) => html`<circle cx=${(x + 0.5) * SIZE} cy=${(y + 0.5) * SIZE} r="4" />`)}
  </g>`;
}

/** @param {{event: FightEvent, who: Everybody}} props */
function Attack({ event, who }) {
  const [, attacker, target, outcome, note, isCovered] = /** @type {any[]} */ (event.draw);
  const at = who[target];
  if (!at?.at) return null;
  const [x2, y2] = middleOf(at);
  const from = attacker && who[attacker]?.at ? middleOf(who[attacker]) : [x2, y2 - SIZE];
  const [x1, y1] = towards(from, [x2, y2], GAP);
  const end = towards([x2, y2], from, GAP);
  const kind = ["miss", "hit", "critical"][outcome];
  const sign = ["miss", "hit", "critical hit"][outcome];
  return html`
    <g class=${`attack ${kind} ${isCovered ? "covered" : ""}`}>
      <line x1=${x1} y1=${y1} x2=${end[0]} y2=${end[1]} />
      <circle cx=${end[0]} cy=${end[1]} r="5" />
      <text x=${(from[0] + x2) / 2} y=${(from[1] + y2) / 2 - 6}>${note ? `${sign}, ${note}` : sign}</text>
    </g>`;
}

const GAP = 18;

/** A point so far on the way from one to another, at most in the middle. @param {number[]} from @param {number[]} to @param {number} far */
function towards(from, to, far) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const share = Math.min(0.4, far / (Math.hypot(dx, dy) || 1));
  return [from[0] + dx * share, from[1] + dy * share];
}

/** @param {{event: FightEvent, who: Everybody}} props */
function Wound({ event, who }) {
  const [kind, target, amount] = /** @type {any[]} */ (event.draw);
  const one = who[target];
  if (!one?.at) return null;
  const [left, top, wide] = boxOf(one);
  const text = kind === "hurt" ? (amount === null ? "hurt" : `−${amount}`) : amount === null ? "healed" : `+${amount}`;
  return html`<text class=${`wound ${kind}`} key=${event.seq} x=${left + wide / 2} y=${top - 2}>${text}</text>`;
}
