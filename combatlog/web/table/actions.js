// @ts-check
/** The actions of a combatant, with costs, ranges, and the reasons why some are not possible. */
import { html } from "htm/preact";
import { nameOf } from "../modules/fight.js";
import { begin, cancel, change, declare, toggleTarget } from "./draft.js";
import { Said, SquareInput } from "./form.js";
import { acting, own, say } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./draft.js").Drafting} Drafting */

/** @param {{table: Table, drafting: Drafting, menu: {value: {who: string | null, sections: any[]}}}} props */
export function Actions({ table, drafting, menu }) {
  const who = acting(table);
  const now = table.now.value;
  const draft = drafting.draft.value;
  return html`
    <div class="actions" data-scrolls tabindex="0" role="region" aria-label="Actions">
      <${Whose} table=${table} who=${who} />
      ${who && now.turn === who && !draft && html`
        <p><button type="button" class="main" disabled=${table.isBusy.value} onClick=${() => say(table, "/turns", { who, round: now.round })}>End ${nameOf(now, who)}'s turn</button></p>`}
      <p><label><input type="checkbox" checked=${table.byHand} onChange=${(/** @type {any} */ event) => { table.byHand.value = event.target.checked; }} /> I roll the dice and type them in</label></p>
      ${draft ? html`<${DraftForm} table=${table} drafting=${drafting} />` : menu.value.who === who && html`<${Menu} sections=${menu.value.sections} drafting=${drafting} /><${Others} table=${table} who=${who} sections=${menu.value.sections} />`}
    </div>`;
}

/** @param {{table: Table, who: string | null}} props */
function Whose({ table, who }) {
  const now = table.now.value;
  const mine = own(table);
  if (!who) return html`<p class="dim">None of your combatants is in the fight.</p>`;
  const turn = now.turn === who ? "It is this combatant's turn." : now.turn ? `It is ${nameOf(now, now.turn)}'s turn.` : "No turn is in progress.";
  return html`
    <p>${mine.length > 1
      ? html`<label>For <select value=${who} onChange=${(/** @type {any} */ event) => { table.chosen.value = event.target.value; }}>
          ${mine.map((id) => html`<option value=${id}>${nameOf(now, id)}</option>`)}</select></label>`
      : html`<strong>${nameOf(now, who)}</strong>`} <span class="dim">${turn}</span></p>
    <p class="dim">${(now.who?.[who]?.left ?? []).length ? `Left: ${now.who?.[who]?.left?.join(", ")}` : ""}</p>`;
}

/** @param {{sections: any[], drafting: Drafting}} props */
function Menu({ sections, drafting }) {
  const filled = sections.filter((section) => section.choices.length);
  return filled.map((section) => {
    const can = section.choices.filter((/** @type {any} */ one) => !one.why_not && one.takes && !isReaction(one));
    const cannot = section.choices.filter((/** @type {any} */ one) => one.why_not);
    const also = section.choices.filter((/** @type {any} */ one) => !one.why_not && (!one.takes || isReaction(one)));
    return html`
      <h3>${section.title}</h3>
      <ul class="choices">${can.map((/** @type {any} */ one) => html`<li><${Choice} choice=${one} drafting=${drafting} /></li>`)}</ul>
      ${also.length > 0 && html`<ul class="also">${also.map((/** @type {any} */ one) => html`<li><strong>${spoken(one.name)}</strong> <span class="dim">${[one.cost, one.note].filter(Boolean).join(" · ")}</span></li>`)}</ul>`}
      ${cannot.length > 0 && html`
        <details class="cannot"><summary>Not now: ${cannot.map((/** @type {any} */ one) => spoken(one.name)).join(", ")}</summary>
          <dl>${cannot.map((/** @type {any} */ one) => html`<div><dt>${spoken(one.name)}${one.cost && html` <span class="dim">${one.cost}</span>`}</dt><dd>${one.why_not}</dd></div>`)}</dl>
        </details>`}`;
  });
}

/** @param {any} choice */
function isReaction(choice) {
  return choice.takes?.kind === "reaction";
}

/** What can be said for a combatant besides actions, such as what it does with reactions without being asked. @param {{table: Table, who: string, sections: any[]}} props */
function Others({ table, who, sections }) {
  const reactions = [...new Set(sections.flatMap((section) => section.choices).filter(isReaction).map((one) => one.name))];
  const known = { reaction: [...reactions.map((name) => [name, spoken(name)]), ["*", "any other reaction"]] };
  const shown = table.messages.filter(({ right, asks }) => right === ACT && asks.includes("who"));
  return shown.map((message) => html`<${Said} key=${message.name + who} table=${table} message=${message} given=${{ who }} known=${known} />`);
}

/** As `combatlog.messages.rights.Right` has it. */
const ACT = "act for a combatant";

/** @param {{choice: any, drafting: Drafting}} props */
function Choice({ choice, drafting }) {
  const said = [choice.cost, choice.note].filter(Boolean).join(" · ");
  return html`
    <button type="button" class="choice" onClick=${() => begin(drafting, choice)}>
      <span class="what">${spoken(choice.name)}</span> <span class="dim">${said}</span>
      ${(choice.effects ?? []).map((/** @type {any} */ effect) => html`<span class="effect">${inWords(effect)}</span>`)}
    </button>`;
}

/** @param {any} effect */
function inWords(effect) {
  const parts = [effect.weapon && spoken(effect.weapon), effect.to_hit && `${effect.to_hit} to hit`, effect.save, effect.damage, effect.healing && `heals ${effect.healing}`, effect.condition && spoken(effect.condition), effect.range];
  return parts.filter(Boolean).join(", ");
}

/** @param {{table: Table, drafting: Drafting}} props */
function DraftForm({ table, drafting }) {
  const draft = /** @type {import("./draft.js").Draft} */ (drafting.draft.value);
  const needsPlace = draft.parts.includes("destination");
  const weapons = [...new Set(draft.effects.map((effect) => effect.weapon).filter(Boolean))];
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    declare(drafting);
  };
  return html`
    <form class="draft" onSubmit=${submit}>
      <h3>${spoken(draft.name)} <span class="dim">${draft.cost}</span></h3>
      ${draft.effects.map((effect) => html`<p class="dim">${inWords(effect)}</p>`)}
      ${needsPlace && html`
        <${SquareInput} label="Where" value=${draft.to} onInput=${(/** @type {any} */ to) => change(drafting, { to })} />
        <p class="dim">Click the map, or press m, walk there with the arrow keys, and press Enter.</p>`}
      <div role="status" class="foreseen">
        ${drafting.aim.value && html`<${Caught} aim=${drafting.aim.value} />`}
        ${drafting.way.value && html`<${WayThere} way=${drafting.way.value} />`}
        ${drafting.whyNot.value && html`<p class="warning">${drafting.whyNot.value}</p>`}
      </div>
      ${draft.parts.includes("target") && (needsPlace
        ? html`<details><summary>Name targets</summary><${Targets} table=${table} drafting=${drafting} /></details>`
        : html`<${Targets} table=${table} drafting=${drafting} />`)}
      ${draft.parts.includes("weapon") && weapons.length > 0 && html`
        <p><label>With <select value=${draft.weapon} onChange=${(/** @type {any} */ event) => change(drafting, { weapon: event.target.value })}>
          <option value="">the obvious weapon</option>${weapons.map((weapon) => html`<option value=${weapon}>${spoken(weapon)}</option>`)}</select></label></p>`}
      ${draft.options.map((option) => html`<${Option} option=${option} drafting=${drafting} />`)}
      <p class="buttons"><button type="submit" class="main" disabled=${table.isBusy.value}>Declare</button>
        <button type="button" onClick=${() => cancel(drafting)}>Cancel</button></p>
    </form>`;
}

/** @param {{aim: import("./draft.js").Aim}} props */
function Caught({ aim }) {
  const friends = aim.caught.filter((one) => one.friend).map((one) => one.name);
  const foes = aim.caught.filter((one) => !one.friend).map((one) => one.name);
  return html`
    <div class="caught">
      ${friends.length > 0 && html`<p class="warning">Friends in it: ${friends.join(", ")}</p>`}
      <p>${foes.length ? `Foes in it: ${foes.join(", ")}` : "No foe is in it."}</p>
    </div>`;
}

/** @param {{way: import("./draft.js").Way}} props */
function WayThere({ way }) {
  const steps = way.steps.length === 1 ? "1 step" : `${way.steps.length} steps`;
  return html`
    <div class="way-there">
      <p>${steps}, ${way.cost} of movement</p>
      ${way.may_react.map((one) => html`<p class="warning">${one.name} may react${one.at ? ` at ${one.at.join()}` : ""}: ${one.reactions.map((ref) => spoken(ref.split(":").at(-1) ?? ref)).join(", ")}</p>`)}
    </div>`;
}

/** Those in reach come first. @param {{table: Table, drafting: Drafting}} props */
function Targets({ table, drafting }) {
  const draft = /** @type {import("./draft.js").Draft} */ (drafting.draft.value);
  const who = table.now.value.who ?? {};
  const reach = new Map(draft.effects.flatMap((effect) => effect.in_reach ?? []).map((/** @type {any} */ one) => [one.who, one.chance]));
  const ids = Object.keys(who).filter((id) => !who[id].gone).sort((one, other) => Number(reach.has(other)) - Number(reach.has(one)));
  return html`
    <fieldset><legend>Targets: click on the map, or choose:</legend>
      ${ids.map((id) => html`
        <label class="target"><input type="checkbox" checked=${draft.targets.includes(id)} onChange=${() => toggleTarget(drafting, id)} />
          ${who[id].name}${" "}<span class="dim">${[who[id].side, reach.has(id) && "in reach", typeof reach.get(id) === "number" && `${Math.round(reach.get(id) * 100)} %`].filter(Boolean).join(", ")}</span></label>`)}
    </fieldset>`;
}

/** @param {{option: any, drafting: Drafting}} props */
function Option({ option, drafting }) {
  const given = drafting.draft.value?.given[option.name] ?? "";
  const set = (/** @type {any} */ value) => change(drafting, { given: { ...drafting.draft.value?.given, [option.name]: value } });
  const typed = (/** @type {string} */ text) => (text.trim() !== "" && !Number.isNaN(Number(text)) ? Number(text) : text === "true" ? true : text === "false" ? false : text);
  return html`
    <p class="option"><label>${spoken(option.name)}
      ${option.values.length
        ? html` <select value=${String(given)} required=${option.required} onChange=${(/** @type {any} */ event) => set(typed(event.target.value))}>
            <option value="">${option.required ? "choose" : "as usual"}</option>${option.values.map((/** @type {any} */ value) => html`<option value=${String(value)}>${spoken(String(value))}</option>`)}</select>`
        : html` <input type="text" size="8" value=${given} required=${option.required} onInput=${(/** @type {any} */ event) => set(typed(event.target.value))} />`}</label>
      <span class="dim">${option.about}</span></p>`;
}

/** @param {string} name */
export function spoken(name) {
  return name.replaceAll("_", " ");
}
