// @ts-check
/** The log: the story with its dice, or every event; searched and filtered. */
import { html } from "htm/preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { effect, untracked } from "@preact/signals";
import { DiceRow } from "./dice.js";
import { goToEvent, matches, searchOn } from "./player.js";
import { FAMILIES } from "./families.js";

/** @typedef {import("./player.js").Player} Player */
/** @typedef {import("./types.js").Line} Line */
/** @typedef {import("./types.js").FightEvent} FightEvent */

/** @param {{player: Player}} props */
export function Log({ player }) {
  return html`
    <${Filters} player=${player} />
    <${Rows} player=${player} />`;
}

/** @param {{player: Player}} props */
function Filters({ player }) {
  const { fight, sought, shows, actor, kinds, withGone } = player;
  const actors = useMemo(() => actorsOf(player), [fight]);
  const found = matches(player);
  return html`
    <form class="filters" role="search" onSubmit=${(/** @type {Event} */ event) => { event.preventDefault(); searchOn(player, 1); }}>
      <label class="grow"><span class="sr-only">Search the log</span>
        <input id="search" type="search" placeholder="Search the log" value=${sought}
          onInput=${(/** @type {any} */ event) => { sought.value = event.target.value; }} /></label>
      ${sought.value && html`<span class="count" role="status">${found.length === 1 ? "1 event" : `${found.length} events`}</span>`}
      <label>Show <select value=${shows} onChange=${(/** @type {any} */ event) => { shows.value = event.target.value; }}>
        <option value="story">the story</option><option value="events">every event</option></select></label>
      <label>by <select value=${actor} onChange=${(/** @type {any} */ event) => { actor.value = event.target.value; }}>
        <option value="">anybody</option>${actors.map(([id, name]) => html`<option value=${id}>${name}</option>`)}</select></label>
      <label>with <select value=${kinds} onChange=${(/** @type {any} */ event) => { kinds.value = event.target.value; }}>
        <option value="">anything</option>${Object.keys(FAMILIES).map((name) => html`<option value=${name}>${name}</option>`)}</select></label>
      ${fight.isCorrected && html`<label><input type="checkbox" checked=${withGone}
        onChange=${(/** @type {any} */ event) => { withGone.value = event.target.checked; }} /> what was taken back</label>`}
    </form>`;
}

/** Those who declared anything. @param {Player} player */
function actorsOf(player) {
  const who = player.fight.recorded.states[player.fight.recorded.states.length - 1]?.who ?? {};
  const ids = new Set(player.fight.events.flatMap((event) => (event.actor ? [event.actor] : [])));
  return [...ids].map((id) => [id, id === "gm" ? "the GM" : Object.hasOwn(who, id) ? who[id].name : id]);
}

/** @param {{player: Player}} props */
function Rows({ player }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const track = player.track.value;
  const isStory = player.shows.value === "story";
  const mode = player.mode.value;
  const filter = [player.sought.value.trim().toLowerCase(), player.actor.value, player.kinds.value, player.withGone.value, mode, isStory];
  const rows = useMemo(() => (isStory ? storyRows(player) : eventRows(player)), [track, ...filter]);
  useLayoutEffect(() => following(box.current, player), [rows]);
  return html`
    <div class="rows" data-scrolls tabindex="0" role="region" aria-label="Log" ref=${box}
      onClick=${(/** @type {Event} */ event) => choose(player, event)}>
      ${rows.length ? rows : html`<p class="dim">Nothing in this fight matches.</p>`}
    </div>`;
}

/** @param {Player} player */
function storyRows(player) {
  const { lines } = player.track.value;
  const kept = lines.map((line) => line.level === 0 && passes(player, line.events, line.text, line.gone));
  const isPlain = !player.sought.value && !player.actor.value && !player.kinds.value;
  return lines.flatMap((line, number) => {
    if (line.level) return isPlain || headsKept(lines, kept, number) ? [html`<${Heading} key=${number} line=${line} number=${number} />`] : [];
    return kept[number] ? [html`<${StoryRow} key=${number} line=${line} number=${number} player=${player} />`] : [];
  });
}

/** Whether anything under a heading is shown. @param {Line[]} lines @param {boolean[]} kept @param {number} number */
function headsKept(lines, kept, number) {
  for (let at = number + 1; at < lines.length && lines[at].level < lines[number].level; at += 1) if (kept[at]) return true;
  return false;
}

/** @param {Player} player */
function eventRows(player) {
  const isRecorded = player.mode.value === "recorded";
  const order = isRecorded ? player.track.value.events : withGoneInPlace(player);
  return order.filter((event) => passes(player, [event], event.words, event.gone)).map((event) => html`<${EventRow} key=${event.seq} event=${event} player=${player} />`);
}

/** The events that count, each next to what was taken back. @param {Player} player */
function withGoneInPlace(player) {
  const inStory = player.track.value.lines.flatMap((line) => line.events);
  const told = new Set(inStory.map((event) => event.seq));
  const untold = player.track.value.events.filter((event) => !told.has(event.seq));
  return untold.length ? [...inStory, ...untold].sort((one, other) => one.seq - other.seq) : inStory;
}

/** @param {Player} player @param {FightEvent[]} events @param {string} text @param {number} [gone] */
function passes(player, events, text, gone) {
  const wanted = player.sought.value.trim().toLowerCase();
  const family = FAMILIES[player.kinds.value];
  if (gone && !player.withGone.value) return false;
  if (player.actor.value && player.fight.groups.get(events[0]?.declaration)?.[0]?.actor !== player.actor.value) return false;
  if (family && !events.some((event) => family.includes(event.kind))) return false;
  return !wanted || text.toLowerCase().includes(wanted) || events.some((event) => event.words.toLowerCase().includes(wanted));
}

/** @param {{line: Line, number: number}} props */
function Heading({ line, number }) {
  const id = `line-${number}`;
  return line.level === 2 ? html`<h3 class="head round" id=${id}>${line.text}</h3>` : html`<h4 class="head turn" id=${id}>${line.text}</h4>`;
}

/** @param {{line: Line, number: number, player: Player}} props */
function StoryRow({ line, number, player }) {
  const rolls = line.events.filter((event) => event.dice);
  return html`
    <div class="row" id=${`line-${number}`} data-seq=${line.seq} data-gone=${line.gone}>
      <button type="button" class="number" data-seq=${line.seq} aria-label=${`Event ${line.seq}`}>${line.seq}</button>
      <div class="told">
        <span class="text">${line.text}</span>
        ${rolls.length > 0 && html`<div class="rolls">${rolls.map((event) => html`<${DiceRow} dice=${event.dice} isShort />`)}</div>`}
        ${line.gone && html`<${TakenBack} seq=${line.gone} player=${player} />`}
      </div>
    </div>`;
}

/** @param {{event: FightEvent, player: Player}} props */
function EventRow({ event, player }) {
  return html`
    <div class=${`row ${event.seq === event.declaration ? "begins" : "follows"}`} id=${`event-${event.seq}`} data-seq=${event.seq} data-gone=${event.gone}>
      <button type="button" class="number" data-seq=${event.seq} aria-label=${`Event ${event.seq}`}>${event.seq}</button>
      <div class="told">
        <span class="text">${event.words}</span>
        ${event.dice && html`<div class="rolls"><${DiceRow} dice=${event.dice} isShort /></div>`}
        ${event.gone && event.seq === event.declaration && html`<${TakenBack} seq=${event.gone} player=${player} />`}
      </div>
    </div>`;
}

/** Who took something back, and why. @param {{seq: number, player: Player}} props */
export function TakenBack({ seq, player }) {
  const by = player.fight.corrections.find((one) => one.seq === seq);
  const why = by?.reason ? `: ${by.reason}` : "";
  return html`<p class="taken-back">Taken back by ${by ? by.by : "a correction"} with event ${seq}${why}</p>`;
}

/** @param {Player} player @param {Event} event */
function choose(player, event) {
  if (!(event.target instanceof Element)) return;
  const row = event.target.closest("[data-seq]");
  if (!(row instanceof HTMLElement) || String(getSelection() ?? "")) return;
  goToEvent(player, Number(row.dataset.seq));
}

const BREATH = 120;

/** Keeps the row of the frame marked. During scrubbing, a few times a second, because scrolling is expensive. @param {HTMLElement | null} box @param {Player} player */
function following(box, player) {
  let waiting = 0;
  const mark = () => {
    clearTimeout(waiting);
    waiting = 0;
    markCurrent(box, player);
  };
  const stop = effect(() => {
    void [player.frame.value, player.shows.value];
    if (!player.isQuick.value) untracked(mark);
    else if (!waiting) waiting = setTimeout(mark, BREATH);
  });
  return () => { clearTimeout(waiting); stop(); };
}

/** Mark the row of the frame and strike out what was taken back by then. The rows themselves stay as they are, so that a long log costs nothing. @param {HTMLElement | null} box @param {Player} player */
function markCurrent(box, player) {
  const { seq } = player.frame.value;
  const line = player.track.value.lineOf[player.place.value];
  const isRecorded = player.mode.value === "recorded";
  if (!box) return;
  for (const row of box.querySelectorAll(".row[data-gone]")) {
    row.classList.toggle("gone", !isRecorded || Number(/** @type {HTMLElement} */ (row).dataset.gone) <= seq);
  }
  box.querySelector(".current")?.classList.remove("current");
  const row = box.querySelector(player.shows.value === "story" ? `#line-${line}` : `#event-${seq}`);
  if (!row) return;
  row.classList.add("current");
  keepInSight(box, /** @type {HTMLElement} */ (row));
}

/** Scrolls the box and nothing around it; rows far away have estimated heights, so it aims at the middle. @param {HTMLElement} box @param {HTMLElement} row */
function keepInSight(box, row) {
  const [above, height] = [row.offsetTop - box.scrollTop, box.clientHeight];
  if (above < height * 0.15 || above + row.offsetHeight > height * 0.8) box.scrollTop = row.offsetTop - height * 0.35;
}
