// @ts-check
/** The explanation of an event: its declaration and all that followed, with dice, modifiers and what did not count. */
import { html } from "htm/preact";
import { DiceRow } from "./dice.js";
import { TakenBack } from "./log.js";
import { goToEvent } from "./player.js";

/** @typedef {import("./types.js").FightEvent} FightEvent */
/** @typedef {import("./player.js").Player} Player */

/** @param {{player: Player}} props */
export function Explanation({ player }) {
  const event = player.frame.value;
  const group = player.fight.groups.get(event.declaration) ?? [event];
  const whyNot = player.fight.whyNot.get(event.declaration) ?? [];
  const path = pathTo(event, group);
  return html`
    <div class="explanation" data-scrolls tabindex="0" role="region" aria-label="Explanation">
      <h3>Event ${event.seq}: ${event.words}</h3>
      <p class="dim">${[event.round ? `Round ${event.round}` : "", event.by && `said by ${event.by}`, `kind ${event.kind.replaceAll("_", " ")}`].filter(Boolean).join(" · ")}</p>
      ${event.gone && html`<${TakenBack} seq=${event.gone} player=${player} />`}
      <${Facts} event=${event} player=${player} />
      <h4>The declaration and what followed</h4>
      <${Tree} events=${effectsOf(null, group)} group=${group} path=${path} player=${player} />
      ${whyNot.length > 0 && html`
        <h4>Why not?</h4>
        <dl class="why-not">${whyNot.map(([name, said]) => html`<div><dt>${name}</dt><dd>${said}</dd></div>`)}</dl>`}
    </div>`;
}

/** The dice, modifiers and remarks of one event. @param {{event: FightEvent, player: Player}} props */
function Facts({ event, player }) {
  const own = event.change ? [event] : event.counted.map((seq) => player.fight.bySeq.get(seq));
  const counted = /** @type {FightEvent[]} */ (own.filter((one) => one?.change));
  return html`
    ${event.dice && html`<p><${DiceRow} dice=${event.dice} /> <span class="dim">${event.dice.origin}</span></p>`}
    ${event.remarks.map((remark) => html`<p class="remark">${remark}</p>`)}
    ${counted.length > 0 && html`<${Modifiers} modifiers=${counted} />`}`;
}

/** @param {{modifiers: FightEvent[]}} props */
function Modifiers({ modifiers }) {
  return html`
    <div class="scrolls-sideways" tabindex="0" role="region" aria-label="Modifiers">
      <table class="modifiers">
        <caption>Modifiers, in the order of their stages</caption>
        <thead><tr><th scope="col">stage</th><th scope="col">change</th><th scope="col">source</th><th scope="col">owner</th><th scope="col">why</th></tr></thead>
        <tbody>${modifiers.map(({ change }) => html`
          <tr><td>${change?.chain} · ${change?.stage}</td><td>${change?.change}</td><td>${change?.source}</td><td>${change?.owner}</td><td>${change?.reason}</td></tr>`)}</tbody>
      </table>
    </div>`;
}

/** @param {{events: FightEvent[], group: FightEvent[], path: Set<number>, player: Player}} props */
function Tree({ events, group, path, player }) {
  return html`<ul class="tree">${events.map((event) => html`
    <li>
      <button type="button" class=${path.has(event.seq) ? "on-path" : ""} aria-current=${player.frame.value === event ? "true" : undefined}
        onClick=${() => goToEvent(player, event.seq)}><span class="number">${event.seq}</span> ${event.words}</button>
      ${event.dice && html`<div class="rolls"><${DiceRow} dice=${event.dice} isShort /></div>`}
      ${effectsOf(event, group).length > 0 && html`<${Tree} events=${effectsOf(event, group)} group=${group} path=${path} player=${player} />`}
    </li>`)}</ul>`;
}

/** What an event caused; what nothing here caused begins the tree. @param {FightEvent | null} cause @param {FightEvent[]} group */
function effectsOf(cause, group) {
  const known = new Set(group.map((event) => event.seq));
  const root = group[0];
  if (!cause) return [root];
  return group.filter((event) => event !== root && (known.has(event.cause) && event.cause < event.seq ? event.cause : root.seq) === cause.seq);
}

/** From the declaration to an event, each the cause of the next. @param {FightEvent} event @param {FightEvent[]} group */
function pathTo(event, group) {
  const known = new Map(group.map((one) => [one.seq, one]));
  const path = new Set([group[0].seq]);
  for (let at = /** @type {FightEvent | undefined} */ (event); at && !path.has(at.seq); at = known.get(at.cause)) path.add(at.seq);
  return path;
}
