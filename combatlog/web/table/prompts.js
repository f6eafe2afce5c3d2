// @ts-check
/** The prompts: what the fight waits for, dice to roll, and answers of the service. */
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
      ${!table.isOnline.value && !table.lost.value && html`<p class="warning">The connection is lost; the page tries again by itself. What you see may be out of date.</p>`}
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
  const react = (/** @type {string | null} */ reaction) => say(table, "/reactions", { who: asked.who, reaction });
  return html`
    <section class="reaction" aria-labelledby="reaction-title">
      <div role="status"><h2 id="reaction-title" tabindex="-1" data-asks>${nameOf(now, asked.who)} may react</h2></div>
      ${table.deadline.value !== null && html`<${Countdown} table=${table} deadline=${table.deadline.value} />`}
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
      <div role="status"><h2 id="consent-title" tabindex="-1" data-asks>Proposed: ${spoken(proposal.correction)}</h2></div>
      ${proposal.plan && html`<${Declarations} table=${table} plan=${proposal.plan} />`}
      <p>${waiting.length ? `Not yet answered: ${waiting.map((/** @type {string} */ id) => nameOf(now, id)).join(", ")}` : "Everybody has answered."}</p>
      ${mine.map((/** @type {string} */ id) => html`<p class="buttons">
        <button type="button" class="main" disabled=${table.isBusy.value} onClick=${() => answer(id, true)}>${nameOf(now, id)} agrees</button>
        <button type="button" disabled=${table.isBusy.value} onClick=${() => answer(id, false)}>${nameOf(now, id)} does not agree</button></p>`)}
      ${table.isGm && html`<p class="buttons"><label>Overrule them, because <input type="text" value=${reason} onInput=${(/** @type {any} */ event) => setReason(event.target.value)} /></label>
        <button type="button" disabled=${!reason || table.isBusy.value} onClick=${() => say(table, `${to}/overruling`, { reason })}>Overrule</button></p>`}
    </section>`;
}

/** When the time is up, the service decides. Only if dice are rolled at the table, a person has to roll them. @param {{table: Table, deadline: number}} props */
function Countdown({ table, deadline }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [deadline]);
  const left = Math.max(0, Math.ceil((deadline - now) / 1000));
  if (left > 0) return html`<p class="countdown">${left} s left to answer</p>`;
  return html`<p class="buttons"><span class="countdown">The time is up.</span>
    <button type="button" disabled=${table.isBusy.value} onClick=${() => say(table, "/time-up", {})}>Go on without an answer</button></p>`;
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
      <h2 id="dice-title" tabindex="-1" data-asks>Roll and type in</h2>
      ${wanted.rolls.map((roll, number) => html`
        <p><label>${nameOf(now, roll.roller)}: ${roll.notation}${roll.modifier ? ` (${roll.modifier > 0 ? "+" : "−"}${Math.abs(roll.modifier)} is added)` : ""}, ${spoken(roll.purpose)}${roll.only_if ? `, if it is a ${spoken(roll.only_if.turnout)}` : ""}
          <input type="text" inputmode="numeric" size=${4 * roll.dice.length} required=${roll.certain} placeholder=${roll.dice.join(" ")}
            onInput=${(/** @type {any} */ event) => setTyped((known) => ({ ...known, [number]: event.target.value }))} /></label></p>`)}
      <p class="buttons"><button type="submit" class="main" disabled=${table.isBusy.value}>Use these dice</button>
        <button type="button" onClick=${() => { table.wanted.value = null; }}>Cancel</button></p>
    </form>`;
}
