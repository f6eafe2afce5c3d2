// @ts-check
/** The name of the fight, the seat, the result of verification, and switches. */
import { html } from "htm/preact";
import { toggleMode } from "./player.js";
import { toggleTheme } from "./theme.js";

/** @typedef {import("./player.js").Player} Player */

/** @param {{player: Player, live?: import("./types.js").Live}} props */
export function Header({ player, live }) {
  const { fight } = player;
  const { about } = fight;
  const isRecorded = player.mode.value === "recorded";
  return html`
    <header>
      <div class="title">
        <h1>${about.name}</h1>
        <p class="dim">${about.ruleset} · seen by: ${about.seat}</p>
      </div>
      ${fight.checked && html`<${Badge} checked=${fight.checked} isLive=${live !== undefined} />`}
      <div class="switches">
        ${live?.switches()}
        ${fight.isCorrected && html`
          <button type="button" aria-pressed=${isRecorded ? "true" : "false"} title="Show the fight as it was recorded, before corrections (b)"
            onClick=${() => toggleMode(player)}>As it was believed</button>`}
        <button type="button" class="wide-only" aria-pressed=${player.projector.value ? "true" : "false"} title="Large, without the side panel (p)" onClick=${() => { player.projector.value = !player.projector.value; }}>Projector</button>
        <button type="button" title="Dark or light (d)" onClick=${toggleTheme}>Theme</button>
        <button type="button" title="Keys (?)" aria-haspopup="dialog" onClick=${() => { player.help.value = true; }}>Help</button>
      </div>
    </header>`;
}

/** @param {{checked: import("./types.js").Checked, isLive: boolean}} props */
function Badge({ checked, isLive }) {
  return html`
    <details class=${`badge ${checked.stands ? "stands" : "fails"}`}>
      <summary>${checked.stands ? "✓ Verified" : "✗ Does not verify"}</summary>
      <div class="badge-more">
        <p>${checked.summary}</p>
        ${checked.findings.length > 0 && html`<ul>${checked.findings.map((finding) => html`<li>${finding}</li>`)}</ul>`}
        <p class="dim">Checked ${checked.at}${isLive ? "" : " when this file was made"}. To check again, verify the fight in the ledger.</p>
      </div>
    </details>`;
}
