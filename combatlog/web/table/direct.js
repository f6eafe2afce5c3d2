// @ts-check
/** What a GM does besides acting: everything is a form from one table, and goes to the resource of the same name. */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { nameOf } from "../modules/fight.js";
import { get } from "./api.js";
import { Corrections } from "./correcting.js";
import { Form, Part } from "./form.js";
import { SAID } from "./said.js";
import { Seats } from "./seats.js";
import { say } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./form.js").Values} Values */

/** @param {{table: Table}} props */
export function Direct({ table }) {
  const { value: now } = table.now;
  return html`
    <div class="direct" data-scrolls tabindex="0" role="region" aria-label="Direct the fight">
      <${Course} table=${table} />
      <${Corrections} table=${table} />
      <${Part} title="Let somebody join"><${Bestiary} table=${table} /></${Part}>
      ${SAID.map((form) => html`<${Part} title=${form.title} key=${form.path + form.title}>
        <${Form} table=${table} fields=${form.fields} submit=${form.title} onSubmit=${(/** @type {Values} */ values) => say(table, form.path, form.body(values))} /></${Part}>`)}
      <${Part} title="Seats and links"><${Seats} table=${table} /></${Part}>
      <${Part} title="Fork"><${Fork} table=${table} /></${Part}>
      <${Part} title="Export"><${Export} table=${table} /></${Part}>
      ${!now.closed && html`<${Part} title="Conclude the fight">
        <${Form} table=${table} fields=${[{ name: "reason", label: "Why", value: "the fight is over" }]} submit="Conclude the fight" onSubmit=${(/** @type {Values} */ { reason }) => say(table, "/conclude", { reason })} /></${Part}>`}
    </div>`;
}

/** Starting, ending turns, and letting foes play by themselves, step by step. @param {{table: Table}} props */
function Course({ table }) {
  const now = table.now.value;
  const [steps, setSteps] = useState(/** @type {any[]} */ ([]));
  const auto = async () => {
    const done = await say(table, "/auto", { turns: 1 });
    if (done) setSteps(done.steps);
  };
  if (!now.round) return html`<p class="buttons"><button type="button" class="main" disabled=${table.isBusy.value} onClick=${() => say(table, "/start", {})}>Start the fight</button></p>`;
  return html`
    <p class="buttons">
      ${now.turn && html`<button type="button" disabled=${table.isBusy.value} onClick=${auto}>Play ${nameOf(now, now.turn)}'s turn</button>
        <button type="button" disabled=${table.isBusy.value} onClick=${() => say(table, "/turns", { who: now.turn, round: now.round })}>End ${nameOf(now, now.turn)}'s turn</button>`}
    </p>
    ${steps.length > 0 && html`<ol class="steps" aria-label="What was played, and why">${steps.map((step) => html`<li><strong>${nameOf(now, step.who)}: ${step.what}</strong> <span class="dim">${step.why}</span></li>`)}</ol>`}`;
}

/** @param {{table: Table}} props */
function Bestiary({ table }) {
  const [found, setFound] = useState(/** @type {any[]} */ ([]));
  const [sheet, setSheet] = useState("");
  const ruleset = table.player.fight.about.ruleset;
  const search = async (/** @type {any} */ event) => {
    event.preventDefault();
    const asked = new URLSearchParams({ search: new FormData(event.currentTarget).get("search")?.toString() ?? "", ruleset });
    setFound((await get(`/sheets?${asked}`)).slice(0, MOST));
  };
  const join = async (/** @type {Values} */ { name, side, count, at, hidden }) => {
    const done = await say(table, "/combatants", { sheet, side, count: Number(count), hidden, ...(name && { name }), ...(at && { at }) });
    if (done) setSheet("");
    return done;
  };
  return html`
    <form role="search" onSubmit=${search}><p><label>Search the bestiary <input type="search" name="search" /></label> <button type="submit">Search</button></p></form>
    <ul class="choices" aria-label="Found">${found.map((one) => html`<li><button type="button" class="choice" aria-pressed=${sheet === one.id ? "true" : "false"} onClick=${() => setSheet(one.id)}>
      <span class="what">${one.name}</span> <span>${[one.type, one.cr !== null && `CR ${one.cr}`, `${one.hp} hp`].filter(Boolean).join(" · ")}</span></button></li>`)}</ul>
    ${sheet && html`<${Form} key=${sheet} table=${table} submit="Let it join" onSubmit=${join} fields=${[
      { name: "name", label: "Name" }, { name: "side", label: "Side", value: "foes", required: true }, { name: "count", label: "How many", kind: "number", value: "1" },
      { name: "at", label: "Where", kind: "square" }, { name: "hidden", label: "The players do not see it", kind: "check" }]} />`}`;
}

const MOST = 30;

/** @param {{table: Table}} props */
function Fork({ table }) {
  const [made, setMade] = useState("");
  const seq = table.player.frame.value.seq;
  const fork = async (/** @type {Values} */ { name }) => {
    const done = await say(table, "/forks", { name, at: seq });
    if (done) setMade(done.encounter);
    return done;
  };
  return html`<p class="dim">The fork shares the past up to event ${seq}, which is shown. It needs a seat at all fights.</p>
    <${Form} table=${table} fields=${[{ name: "name", label: "Name", required: true }]} submit="Fork" onSubmit=${fork} />
    ${made && html`<p role="status"><a href=${`/table/${made}`}>Go to the fork</a></p>`}`;
}

/** @param {{table: Table}} props */
function Export({ table }) {
  const to = (/** @type {string} */ rest) => `/v1${table.at}${rest}`;
  return html`
    <ul class="links">
      <li><a href=${to("/replay?format=html")}>Replay in a single file, with everything</a></li>
      <li><a href=${to("/replay?format=html&seat=players")}>Replay for the players</a></li>
      <li><a href=${to("/replay?format=html&seat=spectator")}>Replay for spectators</a></li>
      <li><a href=${to("/export")} download="fight.jsonl">Events, for another ledger</a></li>
      <li><a href=${to("/export?format=markdown")} download="fight.md">The story, as text</a></li>
    </ul>`;
}

