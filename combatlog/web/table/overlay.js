// @ts-check
/** Pages that only show: an overlay for streamers, and a second screen for the table. They need no input. */
import { html } from "htm/preact";
import { Now, Scene } from "../modules/app.js";
import { nameOf } from "../modules/fight.js";
import { healthInWords, healthShare } from "../modules/health.js";

/** @typedef {import("../modules/player.js").Player} Player */

/** An overlay: whose turn it is, the health of all combatants, and the last sentences. The background is transparent. @param {{player: Player}} props */
export function Overlay({ player }) {
  const state = player.state.value;
  const who = state.who ?? {};
  const order = (state.order ?? []).map(([id]) => id).filter((id) => who[id] && !who[id].gone);
  const lines = player.track.value.lines.filter((line) => !line.level && !line.gone).slice(-3);
  document.documentElement.classList.add("see-through");
  return html`
    <main class="overlay">
      <h1 class="sr-only">${player.fight.about.name}</h1>
      <p class="bar-line"><strong>${state.round ? `Round ${state.round}` : "Before the fight"}</strong>${state.turn ? ` · ${nameOf(state, state.turn)}` : ""}</p>
      <ol>${order.map((id) => html`
        <li class=${`entry side-${player.fight.sides.indexOf(who[id].side) % 5} ${state.turn === id ? "turn" : ""} ${who[id].fallen ? "fallen" : ""}`} aria-current=${state.turn === id ? "true" : undefined}>
          <span class="swatch" aria-hidden="true"></span> <span class="who">${who[id].name}</span>
          <span class="health" aria-hidden="true"><span style=${{ width: `${(healthShare(who[id]) ?? 0) * 100}%` }}></span></span>
          <span class="health-words">${who[id].fallen ? "fallen" : healthInWords(who[id])}</span></li>`)}</ol>
      <div class="told" role="log" aria-label="Log">${lines.map((line) => html`<p key=${line.seq}>${line.text}</p>`)}</div>
    </main>`;
}

/** A screen for the whole table: the map, the order of turns, and the log. @param {{player: Player}} props */
export function Screen({ player }) {
  const state = player.state.value;
  return html`
    <div class="page projector screen">
      <header><div class="title"><h1>${player.fight.about.name}</h1></div></header>
      <main><${Scene} player=${player} /></main>
      <footer aria-label="Now"><${Now} player=${player} /></footer>
      <div class="sr-only" role="status" aria-live="polite">${state.round ? `Round ${state.round}` : ""}</div>
    </div>`;
}
