// @ts-check
/** What a GM does besides acting: everything is a form from one table, and goes to the resource of the same name. */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { nameOf } from "../modules/fight.js";
import { get } from "./api.js";
import { Corrections } from "./correcting.js";
import { Form } from "./form.js";
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
      ${!now.closed && html`<${Part} title="Close the fight">
        <${Form} table=${table} fields=${[{ name: "why", label: "Why", value: "the fight is over" }]} submit="Close the fight" onSubmit=${(/** @type {Values} */ { why }) => say(table, "/close", { why })} /></${Part}>`}
    </div>`;
}

/** @param {{title: string, children?: any}} props */
function Part({ title, children }) {
  const [isOpen, setIsOpen] = useState(false);
  return html`<details class="part" onToggle=${(/** @type {any} */ event) => setIsOpen(event.currentTarget.open)}><summary>${title}</summary>${isOpen && children}</details>`;
}

/** @param {string} text */
const listed = (text) => text.split(",").map((one) => one.trim()).filter(Boolean);

/** `hp=12, reaction=0` as a mapping. @param {string} text */
const pairs = (text) => Object.fromEntries(listed(text).map((one) => one.split("=")).map(([name, value]) => [name.trim(), Number(value)]));

/** @type {{title: string, path: string, fields: import("./form.js").Field[], body: (values: Values) => any}[]} */
const SAID = [
  {
    title: "Rule", path: "/rulings",
    fields: [
      { name: "reason", label: "Why", required: true },
      { name: "subject", label: "About", kind: "who" },
      { name: "set", label: "Set", hint: "such as hp=12, reaction=0" },
      { name: "add", label: "Add conditions", hint: "such as prone, poisoned" },
      { name: "remove", label: "Remove conditions" },
      { name: "to", label: "Put it at", kind: "square" },
      { name: "note", label: "Note" },
      { name: "secret", label: "Players see what it changes, and not the ruling", kind: "check" },
    ],
    body: ({ reason, subject, set, add, remove, to, note, secret }) => ({
      reason, subject: subject || null, set: pairs(set), add: listed(add), remove: listed(remove), to: to || null, note: note || null, secret,
    }),
  },
  {
    title: "Deal damage", path: "/hurt",
    fields: [
      { name: "who", label: "To whom", kind: "several" }, { name: "amount", label: "How much", kind: "number", required: true },
      { name: "type", label: "Type", hint: "such as fire" }, { name: "reason", label: "Why" },
    ],
    body: ({ who, amount, type, reason }) => ({ who, amount: Number(amount), type: type || null, reason }),
  },
  {
    title: "Heal", path: "/heal",
    fields: [{ name: "who", label: "Whom", kind: "several" }, { name: "amount", label: "How much", kind: "number", required: true }, { name: "reason", label: "Why" }],
    body: ({ who, amount, reason }) => ({ who, amount: Number(amount), reason }),
  },
  {
    title: "Roll", path: "/rolls",
    fields: [
      { name: "notation", label: "Dice", required: true, value: "1d20" }, { name: "purpose", label: "What for", value: "roll" },
      { name: "who", label: "For", kind: "who" }, { name: "secret", label: "Only GMs see it", kind: "check" },
    ],
    body: ({ notation, purpose, who, secret }) => ({ notation, purpose, who: who || null, secret }),
  },
  {
    title: "Note", path: "/notes",
    fields: [{ name: "text", label: "Text", required: true }, { name: "about", label: "About", kind: "who" }, { name: "secret", label: "Only GMs see it", kind: "check" }],
    body: ({ text, about, secret }) => ({ text, about: about || null, secret }),
  },
  { title: "Reveal", path: "/reveal", fields: [{ name: "who", label: "Whom the players see from now on", kind: "several" }], body: ({ who }) => ({ who }) },
  { title: "Conceal", path: "/conceal", fields: [{ name: "who", label: "Whom the players no longer see", kind: "several" }], body: ({ who }) => ({ who }) },
  {
    title: "Take somebody out", path: "/leave",
    fields: [{ name: "who", label: "Whom", kind: "who", required: true }, { name: "why", label: "Why", value: "left the fight" }],
    body: ({ who, why }) => ({ who, why }),
  },
];

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
  const seq = table.player.frame.value.seq;
  const fork = async (/** @type {Values} */ { name }) => {
    const done = await say(table, "/forks", { name, at: seq });
    if (done) table.notice.value = `The fork is at ${location.origin}/table/${done.encounter}`;
    return done;
  };
  return html`<p class="dim">The fork shares the past up to event ${seq}, which is shown. It needs a seat at all fights.</p>
    <${Form} table=${table} fields=${[{ name: "name", label: "Name", required: true }]} submit="Fork" onSubmit=${fork} />`;
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
    </ul>`;
}

