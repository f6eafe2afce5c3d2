// @ts-check
/** What the fight waits for, dice that have to be rolled, and what the service said. */
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { nameOf } from "../modules/fight.js";
import { spoken } from "./actions.js";
import { Declarations } from "./correcting.js";
import { giveDice, say } from "./table.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {{table: Table}} props */
export function Prompts({ table }) {
  return html`
    <div aria-live="assertive" class="said">
      ${table.lost.value && html`<p class="warning">${table.lost.value}</p>`}
      ${!table.isOnline.value && !table.lost.value && html`<p class="warning">The connection is lost. What you see may be old; it comes back by itself.</p>`}
      ${table.problem.value && html`<p class="warning problem">${table.problem.value} <button type="button" onClick=${() => { table.problem.value = ""; }}>Dismiss</button></p>`}
      ${table.notice.value && html`<p class="notice">${table.notice.value}</p>`}
      ${table.picking.value && html`<p class="notice">Click a square of the map. <button type="button" onClick=${() => { table.picking.value = null; }}>Cancel</button></p>`}
    </div>
    <${Reaction} table=${table} />
    <${Consent} table=${table} />
    ${table.wanted.value && html`<${DiceForm} table=${table} key=${table.wanted.value.key} />`}`;
}

/** @param {{table: Table}} props */
function Reaction({ table }) {
  const now = table.now.value;
  const asked = now.window;
  if (!asked || table.wanted.value) return null;
  const isMine = table.isGm || table.seat.combatants.includes(asked.who);
  if (!isMine || !table.canAct) return html`<p class="notice" role="status">The fight waits for ${nameOf(now, asked.who)}.</p>`;
  const react = (/** @type {string | null} */ reaction) => say(table, "/reactions", { reactor: asked.who, reaction });
  return html`
    <section class="reaction" aria-labelledby="reaction-title">
      <div role="status"><h2 id="reaction-title">${nameOf(now, asked.who)} may react</h2></div>
      ${table.until.value && html`<${Countdown} until=${table.until.value} />`}
      <p class="buttons">
        ${asked.names.map((name, number) => html`<button type="button" class="main" disabled=${table.isBusy.value} onClick=${() => react(name)}>${asked.reactions[number]}</button>`)}
        <button type="button" disabled=${table.isBusy.value} onClick=${() => react(null)}>Let it pass</button>
      </p>
    </section>`;
}

/** A correction that the table has to agree to. @param {{table: Table}} props */
function Consent({ table }) {
  const proposal = table.proposal.value;
  const [reason, setReason] = useState("");
  if (!proposal) return null;
  const now = table.now.value;
  const waiting = proposal.asked.filter((/** @type {string} */ id) => !Object.hasOwn(proposal.answers, id));
  const mine = table.isGm ? [] : waiting.filter((/** @type {string} */ id) => table.seat.combatants.includes(id));
  const to = `/proposals/${proposal.proposal}`;
  const answer = (/** @type {string} */ who, /** @type {boolean} */ agree) => say(table, `${to}/answers`, { who, agree });
  return html`
    <section class="consent" aria-labelledby="consent-title">
      <div role="status"><h2 id="consent-title">A correction is proposed: ${proposal.correction}</h2></div>
      ${proposal.plan && html`<${Declarations} table=${table} plan=${proposal.plan} />`}
      <p>${waiting.length ? `Not yet answered: ${waiting.map((/** @type {string} */ id) => nameOf(now, id)).join(", ")}` : "Everybody has answered."}</p>
      ${mine.map((/** @type {string} */ id) => html`<p class="buttons">
        <button type="button" class="main" disabled=${table.isBusy.value} onClick=${() => answer(id, true)}>${nameOf(now, id)} agrees</button>
        <button type="button" disabled=${table.isBusy.value} onClick=${() => answer(id, false)}>${nameOf(now, id)} does not agree</button></p>`)}
      ${table.isGm && html`<p class="buttons"><label>Overrule them, because <input type="text" value=${reason} onInput=${(/** @type {any} */ event) => setReason(event.target.value)} /></label>
        <button type="button" disabled=${!reason || table.isBusy.value} onClick=${() => say(table, `${to}/overruling`, { reason })}>Overrule</button></p>`}
    </section>`;
}

/** @param {{until: string}} props */
function Countdown({ until }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [until]);
  const left = Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
  return html`<p class="countdown">${left} s left to answer</p>`;
}

/** One field for each roll; those that may turn out to be unnecessary can stay empty. @param {{table: Table}} props */
function DiceForm({ table }) {
  const wanted = /** @type {import("./table.js").Wanted} */ (table.wanted.value);
  const [typed, setTyped] = useState(/** @type {Record<number, string>} */ ({}));
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const faces = wanted.rolls.flatMap((_, number) => (typed[number] ?? "").split(/[\s,;+]+/).filter(Boolean).map(Number));
    giveDice(table, faces);
  };
  const now = table.now.value;
  return html`
    <form class="dice-form" onSubmit=${submit} aria-labelledby="dice-title">
      <h2 id="dice-title">Roll and type in</h2>
      ${wanted.rolls.map((roll, number) => html`
        <p><label>${nameOf(now, roll.roller)}: ${roll.notation}${roll.modifier ? ` (${roll.modifier > 0 ? "+" : "−"}${Math.abs(roll.modifier)} is added)` : ""}, ${spoken(roll.purpose)}${roll.only_if ? `, if it is a ${spoken(roll.only_if.turnout)}` : ""}
          <input type="text" inputmode="numeric" size=${4 * roll.dice.length} required=${roll.certain} placeholder=${roll.dice.join(" ")}
            onInput=${(/** @type {any} */ event) => setTyped((known) => ({ ...known, [number]: event.target.value }))} /></label></p>`)}
      <p class="buttons"><button type="submit" class="main" disabled=${table.isBusy.value}>Use these dice</button>
        <button type="button" onClick=${() => { table.wanted.value = null; }}>Cancel</button></p>
    </form>`;
}
