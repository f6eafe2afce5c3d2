// @ts-check
/** The combatants: the order of turns, health, conditions, and the rest of a turn. */
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { healthInWords, healthShare } from "./health.js";

/** @typedef {import("./types.js").Combatant} Combatant */
/** @typedef {import("./types.js").State} State */

/**
 * @param {object} props
 * @param {import("./types.js").Fight} props.fight
 * @param {State} props.state
 * @param {string | null} props.selected
 * @param {(who: string | null) => void} props.onSelect
 */
export function Combatants({ fight, state, selected, onSelect }) {
  const who = state.who ?? {};
  const order = (state.order ?? []).filter(([id]) => Object.hasOwn(who, id));
  const placed = new Set(order.map(([id]) => id));
  const others = Object.keys(who).filter((id) => !placed.has(id));
  const shown = [...order, ...others.map((id) => /** @type {[string, null]} */ ([id, null]))];
  const here = shown.filter(([id]) => !who[id].gone);
  const gone = shown.filter(([id]) => who[id].gone);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => keepTurnInSight(box.current), [state.turn]);
  return html`
    <section class="combatants" aria-labelledby="combatants-title" ref=${box}>
      <h2 id="combatants-title">${order.length ? "Initiative" : "Combatants"}</h2>
      ${here.length === 0 && html`<p class="dim">Nobody has joined yet.</p>`}
      <ol>
        ${here.map(([id, value]) => html`
          <${Entry} key=${id} one=${who[id]} value=${value} side=${fight.sides.indexOf(who[id].side)} isTurn=${state.turn === id}
            isOpen=${selected === id}
            onToggle=${() => onSelect(selected === id ? null : id)} />`)}
      </ol>
      ${gone.length > 0 && html`<p class="dim">Left the fight: ${gone.map(([id]) => who[id].name).join(", ")}</p>`}
    </section>`;
}

/** Scrolls the list and nothing around it. @param {HTMLElement | null} box */
function keepTurnInSight(box) {
  const entry = box?.querySelector(".entry.turn");
  if (!box || !(entry instanceof HTMLElement)) return;
  const top = entry.offsetTop - box.offsetTop;
  if (top < box.scrollTop || top + entry.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - 40;
}

/** @param {{one: Combatant, value: number | null, side: number, isTurn: boolean, isOpen: boolean, onToggle: () => void}} props */
function Entry({ one, value, side, isTurn, isOpen, onToggle }) {
  const share = healthShare(one);
  return html`
    <li class=${`entry side-${side % 5} ${isTurn ? "turn" : ""} ${one.fallen ? "fallen" : ""}`} aria-current=${isTurn ? "true" : undefined}>
      <button type="button" aria-expanded=${isOpen ? "true" : "false"} onClick=${onToggle}>
        <span class="swatch" aria-hidden="true"></span>
        <span class="who">${isTurn && html`<span class="arrow" aria-hidden="true">▶ </span>`}${one.name}</span>
        <span class="side-name">${one.side}</span>
        ${value !== null && html`<span class="initiative" title="initiative">${value}</span>`}
        ${share !== null && html`<span class=${`health ${share <= 0.25 ? "low" : share <= 0.5 ? "half" : ""}`} aria-hidden="true"><span style=${{ width: `${share * 100}%` }}></span></span>`}
        <span class="health-words">${one.fallen ? `fallen${healthInWords(one) ? `, ${healthInWords(one)}` : ""}` : healthInWords(one)}</span>
      </button>
      ${Object.keys(one.conditions ?? {}).length > 0 && html`
        <ul class="conditions" aria-label="Conditions">${Object.values(one.conditions ?? {}).map((words) => html`<li>${words}</li>`)}</ul>`}
      ${(isOpen || isTurn) && html`<${Details} one=${one} isFull=${isOpen} />`}
    </li>`;
}

/** In its turn, what is left of it; all the rest on demand. @param {{one: Combatant, isFull: boolean}} props */
function Details({ one, isFull }) {
  const left = ["Left", (one.left ?? []).join(", ")];
  const rows = !isFull ? [left].filter(([, said]) => said) : [
    left,
    ...Object.entries(one.figures ?? {}),
    ["Also has", (one.resources ?? []).join(", ")],
    ["Note", (one.notes ?? []).join(", ")],
    ["Cards", Object.entries(one.cards ?? {}).map(([pile, count]) => `${pile} ${count}`).join(", ")],
    ["Place", one.at ? one.at.join(",") : ""],
  ].filter(([, said]) => said);
  return html`
    <dl class="details">${rows.map(([title, said]) => html`<div><dt>${title}</dt><dd>${said}</dd></div>`)}</dl>
    ${isFull && Object.keys(one.economy ?? {}).length > 0 && html`<${Economy} economy=${one.economy} />`}`;
}

/** @param {{economy: NonNullable<Combatant["economy"]>}} props */
function Economy({ economy }) {
  return html`
    <table class="economy">
      <thead><tr><th scope="col">Resource</th><th scope="col">left</th><th scope="col">spent</th></tr></thead>
      <tbody>
        ${Object.entries(economy).map(([name, [left, most, spent, locked]]) => html`
          <tr class=${left ? "" : "empty"}>
            <th scope="row">${name}</th>
            <td>${left}${most !== null && most !== left ? ` of ${most}` : ""}${locked ? `, ${locked} locked` : ""}</td>
            <td>${spent || ""}</td>
          </tr>`)}
      </tbody>
    </table>`;
}
