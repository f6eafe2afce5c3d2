// @ts-check
/** The GM's panel: a form for each message that has one. */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { nameOf } from "../modules/fight.js";
import { get } from "./api.js";
import { Corrections } from "./correcting.js";
import { pathOf } from "./fields.js";
import { Form, Part, Said } from "./form.js";
import { Seats } from "./seats.js";
import { say } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./fields.js").Message} Message */
/** @typedef {import("./form.js").Values} Values */

/** Those that need something besides their fields. @type {Record<string, any>} */
const PANELS = { join: Bestiary, fork: Fork, invite: Seats };
/** What is in a panel besides a form. @type {Record<string, string>} */
const TITLES = { invite: "Seats and links" };
/** Messages of another place: corrections show a plan first, and fights are opened in the list of fights. */
const ELSEWHERE = ["amend", "insert", "open"];

/** @param {{table: Table}} props */
export function Direct({ table }) {
  const { closed } = table.now.value;
  const shown = table.messages.filter(({ name, asks }) => asks.length && !ELSEWHERE.includes(name) && !(closed && name === "conclude"));
  return html`
    <div class="direct" data-scrolls tabindex="0" role="region" aria-label="Direct the fight">
      <${Course} table=${table} />
      <${Corrections} table=${table} />
      ${shown.map((message) => PANELS[message.name]
        ? html`<${Part} title=${TITLES[message.name] ?? message.title} key=${message.name}><${PANELS[message.name]} table=${table} message=${message} /></${Part}>`
        : html`<${Said} table=${table} message=${message} key=${message.name} />`)}
      <${Part} title="Export"><${Export} table=${table} /></${Part}>
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
    ${steps.length > 0 && html`<ol class="steps" aria-label="The steps, with reasons">${steps.map((step) => html`<li><strong>${nameOf(now, step.who)}: ${step.what}</strong> <span class="dim">${step.why}</span></li>`)}</ol>`}`;
}

/** Joining, with the bestiary to choose a sheet from. @param {{table: Table, message: Message}} props */
function Bestiary({ table, message }) {
  const [found, setFound] = useState(/** @type {any[]} */ ([]));
  const [sheet, setSheet] = useState("");
  const ruleset = table.player.fight.about.ruleset;
  const search = async (/** @type {any} */ event) => {
    event.preventDefault();
    const asked = new URLSearchParams({ search: new FormData(event.currentTarget).get("search")?.toString() ?? "", ruleset });
    setFound((await get(`/sheets?${asked}`)).slice(0, MOST));
  };
  const join = async (/** @type {Values} */ values) => {
    const done = await say(table, pathOf(message), values);
    if (done) setSheet("");
    return done;
  };
  return html`
    <form role="search" onSubmit=${search}><p><label>Search the bestiary <input type="search" name="search" /></label> <button type="submit">Search</button></p></form>
    <ul class="choices" aria-label="Found">${found.map((one) => html`<li><button type="button" class="choice" aria-pressed=${sheet === one.id ? "true" : "false"} onClick=${() => setSheet(one.id)}>
      <span class="what">${one.name}</span> <span>${[one.type, one.cr !== null && `CR ${one.cr}`, `${one.hp} hp`].filter(Boolean).join(" · ")}</span></button></li>`)}</ul>
    ${sheet && html`<${Form} key=${sheet} table=${table} message=${message} given=${{ sheet }} onSubmit=${join} />`}`;
}

const MOST = 30;

/** @param {{table: Table, message: Message}} props */
function Fork({ table, message }) {
  const [made, setMade] = useState("");
  const seq = table.player.frame.value.seq;
  const fork = async (/** @type {Values} */ values) => {
    const done = await say(table, pathOf(message), values);
    if (done) setMade(done.encounter);
    return done;
  };
  return html`<p class="dim">The fork shares the past up to event ${seq}, which is shown. It needs a seat at all fights.</p>
    <${Form} table=${table} message=${message} given=${{ at: seq }} onSubmit=${fork} />
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

