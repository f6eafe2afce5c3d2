// @ts-check
/** The page of a replay. A live page uses the same parts. */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Charts } from "./charts.js";
import { Combatants } from "./combatants.js";
import { Corrections } from "./corrections.js";
import { Explanation } from "./explanation.js";
import { nameOf } from "./fight.js";
import { WalkableGrid } from "./grid.js";
import { Header } from "./header.js";
import { Help } from "./help.js";
import { Log } from "./log.js";
import { BattleMap } from "./map.js";
import { Report } from "./report.js";
import { goTo, isLast } from "./player.js";
import { Scrubber, Transport } from "./scrubber.js";
import { Tabs } from "./tabs.js";

/** @typedef {import("./player.js").Player} Player */

/** @typedef {import("./types.js").Live} Live */

/** @param {{player: Player, live?: Live}} props */
export function App({ player, live }) {
  const names = ["page", live && "live", player.projector.value && "projector", player.isQuick.value && "quick", player.fight.bounds.width === 0 && "no-map"];
  return html`
    <div class=${names.filter(Boolean).join(" ")}>
      <${Header} player=${player} live=${live} />
      ${live && html`<div class="prompts">${live.prompts()}</div>`}
      <main>
        <${Scene} player=${player} live=${live} />
        <${Side} player=${player} live=${live} />
      </main>
      <footer aria-label="Time">
        <${Now} player=${player} />
        <${Scrubber} player=${player} />
        <${Transport} player=${player} />
        ${live && !isLast(player) && html`<button type="button" class="to-live" onClick=${() => goTo(player, Infinity)}>Back to now</button>`}
      </footer>
      <${Help} player=${player} live=${live} />
      <div class="sr-only" role="status" aria-live="polite">${player.said}</div>
      <${Printed} player=${player} />
    </div>`;
}

/** The map and who is in the fight. @param {{player: Player, live?: Live}} props */
export function Scene({ player, live }) {
  const { fight } = player;
  const state = player.state.value;
  const [at, setAt] = useState(/** @type {[number, number]} */ ([fight.bounds.x, fight.bounds.y]));
  const [isIn, setIsIn] = useState(false);
  const select = (/** @type {string | null} */ who) => {
    player.selected.value = who;
    live?.onSelect(who);
  };
  const onSquare = live?.onSquare();
  return html`
    <div class="scene">
      ${fight.bounds.width > 0 && html`
        <section class="board" aria-labelledby="map-title">
          <h2 id="map-title" class="sr-only">Map</h2>
          <${BattleMap} fight=${fight} state=${state} happening=${happening(player)} selected=${player.selected.value}
            cursor=${isIn ? at : null} onSelect=${select} label=${described(player)} aimed=${live?.aimed()} onSquare=${onSquare} />
          <${WalkableGrid} bounds=${fight.bounds} state=${state} at=${at} onWalk=${setAt} onFocus=${setIsIn} onChoose=${onSquare} />
        </section>`}
      <${Combatants} fight=${fight} state=${state} selected=${player.selected.value} onSelect=${select} />
    </div>`;
}

/** The events of the declaration up to the one shown. @param {Player} player */
function happening(player) {
  const { events } = player.track.value;
  const last = player.place.value;
  let first = last;
  while (first > 0 && events[first - 1].declaration === events[last].declaration) first -= 1;
  return events.slice(first, last + 1);
}

/** @param {Player} player */
function described(player) {
  const here = Object.values(player.state.value.who ?? {}).filter((one) => one.at && !one.gone);
  return `Map after event ${player.frame.value.seq}: ${here.map((one) => `${one.name} at ${one.at?.join(",")}`).join("; ")}`;
}

/** @param {{player: Player, live?: Live}} props */
function Side({ player, live }) {
  const panel = (/** @type {any} */ part) => () => html`<${part} player=${player} />`;
  const tabs = [
    ...(live?.tabs() ?? []),
    { id: "log", title: "Log", panel: panel(Log) },
    { id: "event", title: "Why", panel: panel(Explanation) },
    { id: "charts", title: "Charts", panel: panel(Charts) },
    { id: "corrections", title: `Corrections${player.fight.corrections.length ? ` (${player.fight.corrections.length})` : ""}`, panel: panel(Corrections) },
    ...(player.fight.report?.sections ? [{ id: "report", title: "Numbers", panel: panel(Report) }] : []),
  ];
  return html`
    <div class="side">
      <${Tabs} tabs=${tabs} current=${player.tab.value} onChoose=${(/** @type {string} */ id) => { player.tab.value = id; }} />
    </div>`;
}

/** Where the fight is, in one line. @param {{player: Player}} props */
export function Now({ player }) {
  const state = player.state.value;
  const event = player.frame.value;
  const isGone = event.gone && player.mode.value === "recorded";
  const when = [state.round ? `Round ${state.round}` : "Before the fight", state.turn && `${nameOf(state, state.turn)}'s turn`, state.closed && "over"];
  return html`
    <p class="now-line"><span class="when">${when.filter(Boolean).join(" · ")}</span> ${" "}
      <span class="dim">#${event.seq}</span> ${" "}${isGone ? html`<s>${event.words}</s>` : event.words}
      ${state.window && html` <span class="waiting">${nameOf(state, state.window.who)} may react: ${state.window.reactions.join(", ")}</span>`}</p>`;
}

/** On paper, the whole story. @param {{player: Player}} props */
function Printed({ player }) {
  return html`
    <section class="printed" aria-hidden="true">
      ${player.track.value.lines.map((line) => (line.level
        ? html`<p class=${line.level === 2 ? "round" : "turn"}>${line.text}</p>`
        : html`<p>${line.gone ? html`<s>${line.text}</s>` : line.text}</p>`))}
    </section>`;
}
