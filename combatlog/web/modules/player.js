// @ts-check
/** The position of a page in a fight, and moves to others. */
import { batch, computed, signal } from "@preact/signals";

/** @typedef {import("./types.js").Fight} Fight */
/** @typedef {ReturnType<typeof makePlayer>} Player */

export const SPEEDS = [0.5, 1, 2, 4, 8, 16];

/** @param {Fight} first */
export function makePlayer(first) {
  const shown = signal(first);
  const mode = signal(/** @type {"counting" | "recorded"} */ ("counting"));
  const place = signal(0);
  const track = computed(() => shown.value[mode.value]);
  const player = {
    /** The fight, as far as it is known. */
    get fight() { return shown.value; },
    shown, mode, place, track,
    frame: computed(() => track.value.events[place.value]),
    state: computed(() => track.value.states[place.value]),
    playing: signal(false),
    speed: signal(2),
    selected: signal(/** @type {string | null} */ (null)),
    tab: signal("log"),
    sought: signal(""),
    shows: signal(/** @type {"story" | "events"} */ ("story")),
    actor: signal(""),
    kinds: signal(""),
    withGone: signal(true),
    help: signal(false),
    keys: signal(true),
    projector: signal(false),
    said: signal(""),
    isQuick: signal(false),
  };
  player.place.value = firstTurn(first);
  return player;
}

/** Show what the fight has become. A page that was at its end stays there; any other stays at its event. @param {Player} player @param {Fight} fight */
export function follow(player, fight) {
  const [wasLast, { seq }] = [isLast(player), player.frame.value];
  batch(() => {
    if (wasLast) player.mode.value = "counting";
    player.shown.value = fight;
    const { placeOf, events } = player.track.value;
    player.isQuick.value = false;
    player.place.value = wasLast ? events.length - 1 : placeOf.get(nearest(placeOf, seq)) ?? 0;
  });
}

/** @param {Player} player */
export function isLast(player) {
  return player.place.value >= player.track.value.events.length - 1;
}

/** The event itself or, if it is not among these, the last one before it. @param {Map<number, number>} places @param {number} seq */
function nearest(places, seq) {
  let near = seq;
  while (near > 1 && !places.has(near)) near -= 1;
  return near;
}

/** @param {Fight} fight */
function firstTurn(fight) {
  return Math.max(0, fight.counting.events.findIndex((event) => event.kind === "turn_started"));
}

/** @param {Player} player @param {number} place */
export function goTo(player, place) {
  const next = Math.max(0, Math.min(player.track.value.events.length - 1, place));
  batch(() => {
    player.isQuick.value = Math.abs(next - player.place.value) > 1;
    player.place.value = next;
  });
}

/** Go to an event. One that was taken back is only in the fight as it was believed. @param {Player} player @param {number} seq */
export function goToEvent(player, seq) {
  const known = player.track.value.placeOf.get(seq);
  if (known === undefined && !player.fight.recorded.placeOf.has(seq)) return;
  if (known === undefined) player.mode.value = "recorded";
  goTo(player, /** @type {number} */ (player.track.value.placeOf.get(seq)));
}

/** The next or previous frame that something is true of, or the end. @param {Player} player @param {1 | -1} way @param {(event: import("./types.js").FightEvent) => boolean} test */
function seek(player, way, test) {
  const { events } = player.track.value;
  let place = player.place.value + way;
  while (place > 0 && place < events.length - 1 && !test(events[place])) place += way;
  goTo(player, place);
}

/** @typedef {"event" | "declaration" | "turn" | "round"} Stride */

/** @param {Player} player @param {Stride} stride @param {1 | -1} way */
export function step(player, stride, way) {
  seek(player, way, {
    event: () => true,
    declaration: (/** @type {any} */ event) => event.seq === event.declaration,
    turn: (/** @type {any} */ event) => event.kind === "turn_started",
    round: (/** @type {any} */ event) => event.kind === "round_started",
  }[stride]);
}

/** @param {Player} player @param {number} number */
export function goToRound(player, number) {
  const { events, states } = player.track.value;
  const found = events.findIndex((event, place) => event.kind === "round_started" && states[place].round === number);
  if (found >= 0) goTo(player, found);
}

/** @param {Player} player @param {1 | -1} way */
export function changeSpeed(player, way) {
  const at = SPEEDS.indexOf(player.speed.value) + way;
  player.speed.value = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))];
}

/** Play or stop; at the end, from the beginning. @param {Player} player */
export function togglePlay(player) {
  if (!player.playing.value && isLast(player)) goTo(player, 0);
  player.playing.value = !player.playing.value;
}

/** See the fight as it counts now or as it was believed, at the same event. @param {Player} player */
export function toggleMode(player) {
  const { seq } = player.frame.value;
  const mode = player.mode.value === "counting" ? "recorded" : "counting";
  const places = player.fight[mode].placeOf;
  player.mode.value = mode;
  goTo(player, places.get(nearest(places, seq)) ?? 0);
}

/** The frames with a sentence that matches the search. @param {Player} player */
export function matches(player) {
  const wanted = player.sought.value.trim().toLowerCase();
  const { events, lines, lineOf } = player.track.value;
  if (!wanted) return [];
  const inLine = lines.map((line) => line.text.toLowerCase().includes(wanted));
  return events.flatMap((event, place) => (event.words.toLowerCase().includes(wanted) || (inLine[lineOf[place]] && lines[lineOf[place]].seq === event.seq) ? [place] : []));
}

/** @param {Player} player @param {1 | -1} way */
export function searchOn(player, way) {
  const found = matches(player);
  if (!found.length) return;
  const here = player.place.value;
  const next = way > 0 ? found.find((place) => place > here) : found.findLast((place) => place < here);
  goTo(player, next ?? (way > 0 ? found[0] : found[found.length - 1]));
}
