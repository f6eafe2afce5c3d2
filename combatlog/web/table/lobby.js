// @ts-check
/** The fights of a seat, and a form to open a new one. */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { newKey, post, Refused } from "./api.js";
import { Form } from "./form.js";

/** @typedef {import("./table.js").Seat} Seat */
/** @typedef {import("./fields.js").Message} Message */

/** @param {{seat: Seat, encounters: any[], messages: Message[]}} props */
export function Lobby({ seat, encounters, messages }) {
  const opening = messages.find(({ name }) => name === "open");
  return html`
    <main class="alone">
      <h1>Fights</h1>
      <p class="dim">You are here as ${seat.name ?? seat.role}.</p>
      ${encounters.length === 0 && html`<p>There is no fight yet.</p>`}
      <ul class="fights">${encounters.map((one) => html`
        <li><a href=${`/table/${one.encounter}`}>${one.name}</a> <span class="dim">${[one.ruleset, one.state, one.round && `round ${one.round}`].filter(Boolean).join(" · ")}</span>
          ${" "}<a href=${`/replay/${one.encounter}`} aria-label=${`Replay of ${one.name}`}>Replay</a></li>`)}</ul>
      ${opening && !seat.encounter && html`<${NewFight} message=${opening} />`}
    </main>`;
}

/** @param {{message: Message}} props */
function NewFight({ message }) {
  const [problem, setProblem] = useState("");
  const open = async (/** @type {import("./form.js").Values} */ values) => {
    try {
      const { said } = await post("/encounters", values, { "Idempotency-Key": newKey() });
      location.assign(`/table/${said.encounter}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setProblem(error.message);
    }
  };
  return html`
    <section class="new-fight" aria-labelledby="new-fight">
      <h2 id="new-fight">New fight</h2>
      <div role="alert">${problem && html`<p class="warning">${problem}</p>`}</div>
      <${Form} message=${message} submit="Open it" onSubmit=${open} />
    </section>`;
}
