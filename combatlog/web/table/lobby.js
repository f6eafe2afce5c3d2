// @ts-check
/** The fights that a seat is at. */
import { html } from "htm/preact";

/** @param {{seat: any, encounters: any[]}} props */
export function Lobby({ seat, encounters }) {
  return html`
    <main class="alone">
      <h1>Fights</h1>
      <p class="dim">You are here as ${seat.name ?? seat.role}.</p>
      ${encounters.length === 0 && html`<p>There is no fight yet.</p>`}
      <ul class="fights">${encounters.map((one) => html`
        <li><a href=${`/table/${one.encounter}`}>${one.name}</a> <span class="dim">${[one.ruleset, one.state, one.round && `round ${one.round}`].filter(Boolean).join(" · ")}</span>
          ${" "}<a href=${`/replay/${one.encounter}`}>Replay</a></li>`)}</ul>
    </main>`;
}
