// @ts-check
/** Starts the page: reads the document, shows it, and follows the address and the keys. */
import { html } from "htm/preact";
import { render } from "preact";
import { effect } from "@preact/signals";
import { App } from "./app.js";
import { readFight } from "./fight.js";
import { listen } from "./keys.js";
import { goToEvent, makePlayer, step } from "./player.js";
import { applyTheme } from "./theme.js";

const PAUSE = 250;

/** @param {import("./types.js").Document} given @param {HTMLElement} root */
export function start(given, root) {
  const player = makePlayer(readFight(given));
  obeyAddress(player);
  keepAddress(player);
  open(player, root);
  return player;
}

/** Show a fight. @param {import("./player.js").Player} player @param {HTMLElement} root @param {import("./types.js").Live} [live] */
export function open(player, root, live) {
  applyTheme();
  listen(player, live?.keys);
  playOn(player);
  announce(player);
  root.replaceChildren();
  render(html`<${App} player=${player} live=${live} />`, root);
}

/** `#42` is event 42. @param {import("./player.js").Player} player */
export function obeyAddress(player) {
  const go = () => goToEvent(player, Number(location.hash.slice(1)));
  if (location.hash) go();
  addEventListener("hashchange", go);
}

/** The address follows when the page rests, because browsers limit how often it may change. @param {import("./player.js").Player} player */
function keepAddress(player) {
  let waiting = 0;
  let isFirst = true;
  effect(() => {
    const { seq } = player.frame.value;
    clearTimeout(waiting);
    if (!isFirst) waiting = setTimeout(() => history.replaceState(null, "", `#${seq}`), PAUSE);
    isFirst = false;
  });
}

/** @param {import("./player.js").Player} player */
function playOn(player) {
  let timer = 0;
  effect(() => {
    clearInterval(timer);
    if (player.playing.value) timer = setInterval(() => tick(player), 1000 / player.speed.value);
  });
}

/** @param {import("./player.js").Player} player */
function tick(player) {
  step(player, "event", 1);
  if (player.place.peek() >= player.track.peek().events.length - 1) player.playing.value = false;
}

/** Say each event to those who cannot see it, once the page rests on it. @param {import("./player.js").Player} player */
function announce(player) {
  let waiting = 0;
  effect(() => {
    const event = player.frame.value;
    clearTimeout(waiting);
    waiting = setTimeout(() => { player.said.value = `Event ${event.seq}: ${event.words}`; }, PAUSE / 2);
  });
}

const [data, root] = [document.getElementById("fight"), document.getElementById("app")];
if (data && root) start(JSON.parse(data.textContent ?? ""), root);
