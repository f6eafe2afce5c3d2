// @ts-check
/** The time line with its marks, and the buttons that step and play. */
import { html } from "htm/preact";
import { useMemo } from "preact/hooks";
import { goTo, SPEEDS, step, togglePlay } from "./player.js";

/** @typedef {import("./player.js").Player} Player */
/** @typedef {import("./types.js").Mark} Mark */

/** @param {{player: Player}} props */
export function Scrubber({ player }) {
  const { events } = player.track.value;
  const last = Math.max(1, events.length - 1);
  const marks = useMemo(() => html`<${Marks} marks=${player.track.value.marks} last=${last} />`, [player.track.value]);
  return html`
    <div class="scrubber">
      ${marks}
      <input type="range" min="0" max=${events.length - 1} value=${player.place} aria-label="Event"
        aria-valuetext=${`Event ${player.frame.value.seq}: ${player.frame.value.words}`}
        onInput=${(/** @type {any} */ event) => goTo(player, Number(event.target.value))} />
    </div>`;
}

const ROWS = /** @type {Record<Mark["kind"], [number, number]>} */ ({ round: [0, 24], turn: [14, 10], hit: [8, 5], death: [0, 13], correction: [0, 24] });

/** One path for each kind, so that a long fight has no more elements than a short one. @param {{marks: Mark[], last: number}} props */
function Marks({ marks, last }) {
  const of = (/** @type {Mark["kind"]} */ kind) => marks.filter((mark) => mark.kind === kind);
  const rounds = of("round");
  const every = Math.ceil(rounds.length / 12);
  return html`
    <svg class="marks" viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
      ${/** @type {Mark["kind"][]} */ (["turn", "round", "hit", "correction", "death"]).map((kind) => html`
        <path class=${kind} d=${of(kind).map(({ place }) => `M${(1000 * place) / last} ${ROWS[kind][0]}v${ROWS[kind][1]}`).join("")} />`)}
    </svg>
    <div class="round-names" aria-hidden="true">
      ${rounds.filter((_, at) => at % every === 0).map(({ place }, at) => html`<span style=${{ left: `${(100 * place) / last}%` }}>${at * every + 1}</span>`)}
    </div>`;
}

/** @param {{player: Player}} props */
export function Transport({ player }) {
  const button = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ act, /** @type {string} */ kind = "") => html`
    <button type="button" class=${kind} aria-label=${name} title=${name} onClick=${act}>${sign}</button>`;
  const isPlaying = player.playing.value;
  return html`
    <div class="transport" role="group" aria-label="Playback">
      ${button("|«", "Previous round", () => step(player, "round", -1), "wide-only")}
      ${button("«", "Previous turn", () => step(player, "turn", -1))}
      ${button("‹", "Previous declaration", () => step(player, "declaration", -1))}
      ${button("−", "Previous event", () => step(player, "event", -1), "wide-only")}
      ${button(isPlaying ? "❚❚" : "▶", isPlaying ? "Pause" : "Play", () => togglePlay(player), "play")}
      ${button("+", "Next event", () => step(player, "event", 1), "wide-only")}
      ${button("›", "Next declaration", () => step(player, "declaration", 1))}
      ${button("»", "Next turn", () => step(player, "turn", 1))}
      ${button("»|", "Next round", () => step(player, "round", 1), "wide-only")}
      <label class="speed"><span class="sr-only">Events per second</span>
        <select value=${player.speed} onChange=${(/** @type {any} */ event) => { player.speed.value = Number(event.target.value); }}>
          ${SPEEDS.map((speed) => html`<option value=${speed}>${speed} / s</option>`)}
        </select></label>
    </div>`;
}
