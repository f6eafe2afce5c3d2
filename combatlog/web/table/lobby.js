// @ts-check
/** The fights that a seat is at, and opening a new one. */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { newKey, post, Refused } from "./api.js";

/** @typedef {import("./table.js").Seat} Seat */

/** @param {{seat: Seat, encounters: any[]}} props */
export function Lobby({ seat, encounters }) {
  return html`
    <main class="alone">
      <h1>Fights</h1>
      <p class="dim">You are here as ${seat.name ?? seat.role}.</p>
      ${encounters.length === 0 && html`<p>There is no fight yet.</p>`}
      <ul class="fights">${encounters.map((one) => html`
        <li><a href=${`/table/${one.encounter}`}>${one.name}</a> <span class="dim">${[one.ruleset, one.state, one.round && `round ${one.round}`].filter(Boolean).join(" · ")}</span>
          ${" "}<a href=${`/replay/${one.encounter}`} aria-label=${`Replay of ${one.name}`}>Replay</a></li>`)}</ul>
      ${seat.role === "gm" && !seat.encounter && html`<${NewFight} />`}
    </main>`;
}

/** As `docs/rulesets.md` has them. */
const RULESETS = ["dnd5e", "action_points", "skirmish"];

/** @type {Record<string, string>} */
const DICE = { random: "rolled by the service", table: "rolled at the table, and typed in", committed: "committed: everybody can check them afterwards" };

function NewFight() {
  const [problem, setProblem] = useState("");
  const open = async (/** @type {any} */ event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (/** @type {string} */ name) => given.get(name)?.toString() ?? "";
    const rows = text("map").split("\n").map((row) => row.trim()).filter(Boolean);
    try {
      const { said } = await post("/encounters", { name: text("name"), ruleset: text("ruleset"), dice: text("dice"), map: rows.length ? rows : null }, { "Idempotency-Key": newKey() });
      location.assign(`/table/${said.encounter}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setProblem(error.message);
    }
  };
  return html`
    <form class="fields new-fight" onSubmit=${open} aria-labelledby="new-fight">
      <h2 id="new-fight">New fight</h2>
      <div role="alert">${problem && html`<p class="warning">${problem}</p>`}</div>
      <p><label>Name${" "}<input type="text" name="name" required /></label></p>
      <p><label>Rules${" "}<select name="ruleset">${RULESETS.map((one) => html`<option>${one}</option>`)}</select></label></p>
      <p><label>Dice${" "}<select name="dice">${Object.entries(DICE).map(([one, about]) => html`<option value=${one}>${about}</option>`)}</select></label></p>
      <p><label>Map<br /><textarea name="map" rows="6" cols="30" spellcheck=${false}></textarea></label><br /><span class="dim">One letter for each square: . is open, # is a wall, ~ is difficult. Without a map, nobody has a place.</span></p>
      <p class="buttons"><button type="submit" class="main">Open it</button></p>
    </form>`;
}
