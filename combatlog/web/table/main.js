// @ts-check
/** Starts the page: a table, a replay on the server, or the list of fights, as the address says. */
import { html } from "htm/preact";
import { render } from "preact";
import { effect, signal } from "@preact/signals";
import { readFight } from "../modules/fight.js";
import { obeyAddress, open, start } from "../modules/main.js";
import { follow, goTo, makePlayer } from "../modules/player.js";
import { applyTheme } from "../modules/theme.js";
import { get, Refused } from "./api.js";
import { Actions } from "./actions.js";
import { Direct } from "./direct.js";
import { chooseSquare, makeDrafting } from "./draft.js";
import { keysOf } from "./keys.js";
import { Lobby } from "./lobby.js";
import { Overlay, Screen } from "./overlay.js";
import { Prompts } from "./prompts.js";
import { merged, watch } from "./stream.js";
import { followLimits, followMenu, followProposals, makeTable } from "./table.js";

/** @typedef {import("../modules/types.js").Document} Document */
/** @typedef {import("../modules/types.js").Fight} Fight */
/** @typedef {import("./fields.js").Message} Message */

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const [, view, name] = location.pathname.split("/").map(decodeURIComponent);

/** @param {unknown} error */
function explain(error) {
  applyTheme();
  const said = error instanceof Refused && error.status === 401
    ? "You have no seat here. Open the invitation link that the GM gave you."
    : error instanceof Error ? error.message : String(error);
  root.replaceChildren();
  render(html`<main class="alone"><h1>Combat Ledger</h1><p role="alert">${said}</p></main>`, root);
}

async function begin() {
  if (name && view === "replay") return showReplay();
  const [seat, messages] = await Promise.all([get("/seat"), get("/messages")]);
  return name ? sitDown(seat, messages) : showLobby(seat, messages);
}

/** @param {any} seat @param {Message[]} messages */
async function showLobby(seat, messages) {
  applyTheme();
  const { encounters } = await get("/encounters?limit=200");
  root.replaceChildren();
  render(html`<${Lobby} seat=${seat} encounters=${encounters} messages=${messages} />`, root);
}

async function showReplay() {
  const document = await get(`/encounters/${encodeURIComponent(name)}/replay`);
  globalThis.document.title = document.fight.name;
  start(document, root);
}

/** @param {import("./table.js").Seat} seat @param {Message[]} messages */
function sitDown(seat, messages) {
  const path = `/encounters/${encodeURIComponent(name)}`;
  /** @type {Document | null} */
  let known = null;
  /** @type {import("./table.js").Table | null} */
  let table = null;
  const extras = signal(/** @type {Partial<Fight>} */ ({}));
  const show = (/** @type {Document} */ document) => {
    known = document;
    const fight = { ...readFight(document), ...extras.peek() };
    if (table) follow(table.player, fight);
    else table = laidOut(fight, seat, messages, extras);
  };
  watch(`/v1${path}/events?changes=true`, seat.seat, {
    onDocument: show,
    onPart: (part) => known && show(merged(known, part)),
    onLink: (isOpen) => {
      if (table) table.isOnline.value = isOpen;
      if (!isOpen) get(table ? "/seat" : `${path}/state`).catch((error) => lose(table, error));
    },
  });
}

/** A connection that is lost comes back; a seat that was taken away does not, nor does a fight that there is not. @param {import("./table.js").Table | null} table @param {unknown} error */
function lose(table, error) {
  if (!(error instanceof Refused) || ![401, 403, 404].includes(error.status)) return;
  if (table) table.lost.value = "This seat was taken away, or has expired.";
  else explain(error);
}

/** @param {Fight} fight @param {import("./table.js").Seat} seat @param {Message[]} messages @param {import("@preact/signals").Signal<Partial<Fight>>} extras */
function laidOut(fight, seat, messages, extras) {
  const player = makePlayer(fight);
  const table = makeTable(player, seat, name, messages);
  const drafting = makeDrafting(table);
  goTo(player, Infinity);
  document.title = fight.about.name;
  const shown = new URLSearchParams(location.search);
  if (shown.has("overlay")) return alone(html`<${Overlay} player=${player} />`, table);
  if (shown.has("screen")) return alone(html`<${Screen} player=${player} />`, table);
  obeyAddress(player);
  const menu = followMenu(table);
  followProposals(table);
  followLimits(table);
  keepUp(table, extras);
  if (table.canAct) player.tab.value = "actions";
  open(player, root, {
    tabs: () => [
      ...(table.canAct ? [{ id: "actions", title: "Actions", panel: () => html`<${Actions} table=${table} drafting=${drafting} menu=${menu} />` }] : []),
      ...(table.isGm ? [{ id: "direct", title: "Direct", panel: () => html`<${Direct} table=${table} />` }] : []),
    ],
    prompts: () => html`<${Prompts} table=${table} />`,
    switches: () => html`${!seat.encounter && html`<a class="all-fights" href="/table">All fights</a>`}<span class=${`link-state ${table.isOnline.value ? "on" : "off"}`}>${table.isOnline.value ? "Live" : "Offline"}</span>`,
    aimed: () => aimed(drafting),
    onSquare: () => table.picking.value ?? (drafting.draft.value ? (square) => chooseSquare(drafting, square) : undefined),
    keys: keysOf(table, drafting),
    onSelect: (who) => { if (table.isGm) table.chosen.value = who; },
  });
  return table;
}

/** A page that only shows. @param {any} part @param {import("./table.js").Table} table */
function alone(part, table) {
  applyTheme();
  root.replaceChildren();
  render(part, root);
  return table;
}

/** @param {import("./draft.js").Drafting} drafting */
function aimed({ table, draft, aim, way }) {
  if (!draft.value) return undefined;
  const { to, targets } = draft.value;
  const caught = (aim.value?.caught ?? []).map((one) => one.who);
  const from = table.now.value.who?.[draft.value.who]?.at;
  const steps = way.value ? [...(from ? [from] : []), ...way.value.steps.map((step) => step.to)] : [];
  const reacting = (way.value?.may_react ?? []).map((one) => one.who);
  return { squares: aim.value?.squares ?? (to ? [to] : []), who: [...targets, ...caught, ...reacting], way: steps };
}

const NUMBERS = ["event", "charts", "report"];
const PAUSE = 400;

/** The report of the fight is made on demand: when it is opened, and after a change. @param {import("./table.js").Table} table @param {import("@preact/signals").Signal<Partial<Fight>>} extras */
function keepUp(table, extras) {
  let [known, waiting] = [0, 0];
  if (table.seat.delay) return;
  effect(() => {
    const [seq, tab] = [table.last.value, table.player.tab.value];
    clearTimeout(waiting);
    if (known && (seq === known || !NUMBERS.includes(tab))) return;
    waiting = setTimeout(() => get(`${table.at}/replay`).then((document) => {
      const { whyNot, report, checked } = readFight(document);
      known = seq;
      extras.value = { whyNot, report, checked };
      follow(table.player, { ...table.player.fight, ...extras.value });
    }).catch(unlessRefused), PAUSE);
  });
}

/** What is refused is asked for again when something happens. @param {unknown} error */
function unlessRefused(error) {
  if (!(error instanceof Refused)) throw error;
}

begin().catch(explain);
