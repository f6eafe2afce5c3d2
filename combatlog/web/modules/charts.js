// @ts-check
/** Points over time and the balance of the sides, as lines that lead to the moment they are clicked at. */
import { html } from "htm/preact";
import { useMemo } from "preact/hooks";
import { goTo } from "./player.js";
import { ReportSections } from "./report.js";

/** @typedef {import("./player.js").Player} Player */
/** @typedef {{name: string, side: number, points: [number, number][]}} Curve */

const [WIDE, HIGH] = [600, 180];

/** @param {{player: Player}} props */
export function Charts({ player }) {
  const { fight } = player;
  const track = player.track.value;
  const pools = useMemo(() => poolCurves(player), [track]);
  const balance = useMemo(() => balanceCurves(player), [track]);
  const luck = fight.report?.sections.filter((/** @type {any} */ section) => section.title === "Luck") ?? [];
  return html`
    <div class="charts" data-scrolls tabindex="0" role="region" aria-label="Charts">
      ${balance.length > 0 && html`<${Chart} title="Balance: each side's share of all points left, in percent" curves=${balance} player=${player} />`}
      ${pools.length > 0 ? html`<${Chart} title="Points left" curves=${pools} player=${player} />` : html`<p class="dim">No points are known from this seat.</p>`}
      <${ReportSections} sections=${luck} />
    </div>`;
}

/** What each combatant has left of its first bounded pool. @param {Player} player @returns {Curve[]} */
function poolCurves(player) {
  const { states } = player.track.value;
  /** @type {Map<string, Curve>} */
  const curves = new Map();
  states.forEach((state, place) => {
    if (place && state.who === states[place - 1].who) return;
    for (const [id, one] of Object.entries(state.who ?? {})) {
      const pool = Object.entries(one.vitals ?? {}).find(([, [, most]]) => most);
      if (!pool) continue;
      const curve = curves.get(id) ?? { name: `${one.name} ${pool[0]}`, side: player.fight.sides.indexOf(one.side), points: [] };
      if (curve.points[curve.points.length - 1]?.[1] !== pool[1][0]) curve.points.push([place, pool[1][0]]);
      curves.set(id, curve);
    }
  });
  return [...curves.values()];
}

/** @param {Player} player @returns {Curve[]} */
function balanceCurves(player) {
  const { placeOf } = player.track.value;
  return (player.fight.report?.balance ?? []).map((/** @type {any} */ line) => ({
    name: line.side,
    side: player.fight.sides.indexOf(line.side),
    points: line.points.flatMap((/** @type {[number, number]} */ [seq, share]) => (placeOf.has(seq) ? [[placeOf.get(seq), Math.round(share * 100)]] : [])),
  }));
}

/** @param {{title: string, curves: Curve[], player: Player}} props */
function Chart({ title, curves, player }) {
  const last = Math.max(1, player.track.value.events.length - 1);
  const most = Math.max(1, ...curves.flatMap((curve) => curve.points.map((point) => point[1])));
  const x = (/** @type {number} */ place) => (WIDE * place) / last;
  const y = (/** @type {number} */ value) => HIGH - (HIGH * Math.max(0, value)) / most;
  const drawn = useMemo(() => curves.map((curve, at) => html`
    <path class=${`curve side-${curve.side % 5} dash-${at % 4}`} d=${stepped(curve.points, x, y, last)}><title>${curve.name}</title></path>`), [curves]);
  const seek = (/** @type {any} */ event) => {
    const box = event.currentTarget.getBoundingClientRect();
    goTo(player, Math.round((last * (event.clientX - box.left)) / box.width));
  };
  return html`
    <figure>
      <figcaption>${title}${" "}<span class="dim">(0 to ${most})</span></figcaption>
      <svg class="chart" viewBox="0 0 ${WIDE} ${HIGH}" preserveAspectRatio="none" role="img" aria-label=${title} onClick=${seek}>
        <path class="axis" d="M0 0H${WIDE}M0 ${HIGH / 2}H${WIDE}M0 ${HIGH}H${WIDE}" />
        ${drawn}
        <path class="now" d="M${x(player.place.value)} 0V${HIGH}" />
      </svg>
      <ul class="legend">${curves.map((curve, at) => html`
        <li><svg viewBox="0 0 24 8" aria-hidden="true"><path class=${`curve side-${curve.side % 5} dash-${at % 4}`} d="M0 4H24" /></svg> ${curve.name}: <strong>${valueAt(curve, player.place.value)}</strong></li>`)}</ul>
    </figure>`;
}

/** @param {[number, number][]} points @param {(place: number) => number} x @param {(value: number) => number} y @param {number} last */
function stepped(points, x, y, last) {
  if (!points.length) return "";
  const rest = points.slice(1).map(([place, value]) => `H${x(place).toFixed(1)}V${y(value).toFixed(1)}`);
  return `M${x(points[0][0]).toFixed(1)} ${y(points[0][1]).toFixed(1)}${rest.join("")}H${x(last)}`;
}

/** @param {Curve} curve @param {number} place */
function valueAt(curve, place) {
  return curve.points.findLast((point) => point[0] <= place)?.[1] ?? "–";
}
