// @ts-check
/** Corrections: the plan is shown first; if the table decides, the correction is proposed. */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { nameOf } from "../modules/fight.js";
import { spoken } from "./actions.js";
import { post, Refused } from "./api.js";
import { Form, Part } from "./form.js";
import { say } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./form.js").Values} Values */
/** @typedef {{body: any, plan: any, tag: string | null}} Planned */

/** A verdict of plans, as `combatlog.rules.engine.corrections.plan.PlanVerdict` has it. */
const IMPOSSIBLE = "no longer possible";

/** @param {string} typed */
function facesIn(typed) {
  return typed.split(/[\s,;]+/).filter(Boolean).map(Number);
}

/** @param {{table: Table}} props */
export function Corrections({ table }) {
  const [planned, setPlanned] = useState(/** @type {Planned | null} */ (null));
  const [reason, setReason] = useState("");
  const [faces, setFaces] = useState("");
  const event = table.player.frame.value;
  const plan = async (/** @type {any} */ correction) => {
    const body = { ...correction, reason: reason || undefined };
    try {
      const { said, tag } = await post(`${table.at}/corrections/plan`, body);
      setPlanned({ body, plan: said, tag });
      table.problem.value = "";
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setPlanned(null);
      table.problem.value = error.message;
      return false;
    }
  };
  const done = () => { setPlanned(null); setReason(""); setFaces(""); };
  const typed = facesIn(faces);
  const drawn = (/** @type {string} */ name, /** @type {string} */ title, /** @type {Values} */ given) => {
    const message = table.messages.find((one) => one.name === name);
    return message && html`<${Part} title=${title}><${Form} table=${table} message=${message} given=${{ ...given, reason }} submit="Show the plan"
      onSubmit=${(/** @type {Values} */ values) => plan({ correction: name, ...values })} /></${Part}>`;
  };
  return html`
    <section class="correcting" aria-labelledby="correcting-title">
      <h3 id="correcting-title">Correct</h3>
      <p><label>Why <input type="text" value=${reason} onInput=${(/** @type {any} */ change) => setReason(change.target.value)} /></label></p>
      <p class="buttons">
        <button type="button" onClick=${() => plan({ correction: "undo" })}>Undo the last</button>
        <button type="button" onClick=${() => plan({ correction: "undo", seq: event.declaration })}>Undo ${event.declaration}, which is shown</button>
        <button type="button" onClick=${() => plan({ correction: "undo", turn: true })}>Undo the turn</button>
        <button type="button" onClick=${() => plan({ correction: "redo" })}>Redo</button>
      </p>
      ${event.dice && html`<p><label>The dice of event ${event.seq} really showed <input type="text" size="8" value=${faces} onInput=${(/** @type {any} */ change) => setFaces(change.target.value)} /></label>
        <button type="button" disabled=${!typed.length} onClick=${() => plan({ correction: "amend", seq: event.declaration, faces: { [event.seq]: typed } })}>Amend</button></p>`}
      ${drawn("amend", `Amend declaration ${event.declaration}, which is shown`, { seq: event.declaration, faces: {} })}
      ${drawn("insert", `Insert before declaration ${event.declaration}, which is shown`, { before: event.declaration, after: null })}
      ${drawn("insert", `Insert after declaration ${event.declaration}, which is shown`, { before: null, after: event.declaration })}
      ${planned && html`<${Plan} table=${table} planned=${planned} onPlan=${plan} onDone=${done} onLeave=${() => setPlanned(null)} />`}
    </section>`;
}

/** @param {{table: Table, planned: Planned, onPlan: (body: any) => void, onDone: () => void, onLeave: () => void}} props */
function Plan({ table, planned, onPlan, onDone, onLeave }) {
  const { plan, body, tag } = planned;
  const now = table.now.value;
  const impossible = plan.declarations.filter((/** @type {any} */ one) => one.verdict === IMPOSSIBLE);
  const carryOut = async () => {
    const isAsked = plan.asked.length > 0;
    const headers = tag && !isAsked ? { "If-Match": tag } : undefined;
    const done = await say(table, isAsked ? "/proposals" : "/corrections", body, { headers });
    if (done) onDone();
  };
  return html`
    <div class="plan" role="group" aria-label="Plan">
      <h4>The plan</h4>
      <${Declarations} table=${table} plan=${plan} />
      ${plan.dice_added > 0 && html`<p>${plan.dice_added === 1 ? "1 new die is" : `${plan.dice_added} new dice are`} rolled.</p>`}
      ${plan.asked.length > 0 && html`<p>These have to agree: ${plan.asked.map((/** @type {string} */ id) => nameOf(now, id)).join(", ")}</p>`}
      ${(plan.undecided || impossible.length > 0) && body.correction !== "redo" && html`<p class="buttons">Declarations that are no longer possible:
        ${["drop", "keep"].map((one) => html`<button type="button" aria-pressed=${body.impossible === one ? "true" : "false"} onClick=${() => onPlan({ ...body, impossible: one })}>${one}</button>`)}</p>`}
      <p class="buttons"><button type="button" class="main" disabled=${table.isBusy.value || plan.undecided} onClick=${carryOut}>${plan.asked.length ? "Propose it" : "Do it"}</button>
        <button type="button" onClick=${onLeave}>Leave it</button></p>
    </div>`;
}

/** What becomes of each declaration, and what that changes. @param {{table: Table, plan: any}} props */
export function Declarations({ table, plan }) {
  const now = table.now.value;
  return html`<ul>${plan.declarations.map((/** @type {any} */ one) => html`
    <li><strong>${one.seq}</strong> ${one.actor === "gm" ? "the GM" : nameOf(now, one.actor)}: ${spoken(one.action.split(":").at(-1))}, <em>${one.verdict}</em>${one.why ? `: ${one.why}` : ""}</li>`)}</ul>
    <ul>${plan.words.map((/** @type {string} */ change) => html`<li>${change}</li>`)}</ul>`;
}
