// @ts-check
/** Corrections: what was taken back and what replaced it, side by side. */
import { html } from "htm/preact";
import { BattleMap } from "./map.js";
import { goToEvent } from "./player.js";

/** @typedef {import("./player.js").Player} Player */
/** @typedef {import("./types.js").Correction} Correction */

/** @param {{player: Player}} props */
export function Corrections({ player }) {
  const { corrections } = player.fight;
  return html`
    <div class="corrections" data-scrolls tabindex="0" role="region" aria-label="Corrections">
      ${corrections.length === 0 && html`<p class="dim">Nothing was corrected.</p>`}
      ${corrections.map((one) => html`<${One} key=${one.seq} correction=${one} player=${player} />`)}
    </div>`;
}

/** @param {{correction: Correction, player: Player}} props */
function One({ correction, player }) {
  const { fight } = player;
  const { states, placeOf } = fight.recorded;
  const at = placeOf.get(correction.seq) ?? 0;
  const [before, after] = [states[Math.max(0, at - 1)], states[placeOf.get(correction.done) ?? at]];
  const event = fight.bySeq.get(correction.seq);
  const restored = fight.corrections.find((one) => one.seq === correction.undone);
  const [was, is] = restored ? [restored.places, restored.retracts] : [correction.retracts, correction.places];
  return html`
    <article class="correction">
      <h3><button type="button" class="link" onClick=${() => goToEvent(player, correction.seq)}>Event ${correction.seq}</button>: ${event?.words}</h3>
      <p>By ${correction.by}${correction.reason ? `: ${correction.reason}` : ""}</p>
      <div class="sides">
        <${Side} title="Before" lines=${linesOf(player, was)} isGone fight=${fight} state=${before} seq=${correction.seq} />
        <${Side} title="After" lines=${linesOf(player, is)} fight=${fight} state=${after} seq=${correction.seq} />
      </div>
      ${correction.changes.length > 0 && html`<h4>Changes</h4><ul>${correction.changes.map((change) => html`<li>${change}</li>`)}</ul>`}
    </article>`;
}

/** @param {Player} player @param {number[]} declarations */
function linesOf(player, declarations) {
  return player.fight.recorded.lines.filter((line) => line.level === 0 && declarations.includes(line.declaration));
}

/** @param {{title: string, lines: import("./types.js").Line[], isGone?: boolean, fight: import("./types.js").Fight, state: import("./types.js").State, seq: number}} props */
function Side({ title, lines, isGone = false, fight, state, seq }) {
  const told = lines.map((line) => (isGone ? html`<li><s>${line.text}</s></li>` : html`<li>${line.text}</li>`));
  return html`
    <section>
      <h4>${title}</h4>
      ${lines.length > 0 ? html`<ul>${told}</ul>` : html`<p class="dim">${isGone ? "Nothing was taken back." : "Nothing replaced it."}</p>`}
      ${fight.bounds.width > 0 && html`<${BattleMap} fight=${fight} state=${state} label=${`Map ${title.toLowerCase()} event ${seq}`} />`}
    </section>`;
}
