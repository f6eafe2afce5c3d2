// @ts-check
/** The state of a table: the open menu, the declaration in progress, and the answers of the service. */
import { batch, computed, effect, signal } from "@preact/signals";
import { goTo } from "../modules/player.js";
import { get, getDated, newKey, post, Refused } from "./api.js";
import { pathOf } from "./fields.js";

/** @typedef {import("../modules/types.js").State} State */
/** @typedef {import("../modules/types.js").Square} Square */
/** @typedef {import("./fields.js").Message} Message */
/** @typedef {ReturnType<typeof makeTable>} Table */
/** @typedef {{seat: string, role: string, combatants: string[], name: string | null, encounter: string | null, delay: number}} Seat */
/** @typedef {{roller: string, purpose: string, notation: string, dice: string[], modifier: number, certain: boolean, only_if?: {turnout: string}}} Roll */
/** @typedef {{path: string, body: any, key: string, given: number[], rolls: Roll[]}} Wanted Dice that a command needs before it can be carried out. */
/** @typedef {{said: string, after: number, key: string}} Unanswered A command whose answer was lost, and the last event that was known then. */

/** @param {import("../modules/player.js").Player} player @param {Seat} seat @param {string} encounter @param {Message[]} messages */
export function makeTable(player, seat, encounter, messages) {
  const now = computed(() => /** @type {State} */ (player.fight.counting.states.at(-1) ?? {}));
  const last = computed(() => player.fight.events.at(-1)?.seq ?? 0);
  return {
    player, seat, now, last,
    encounter,
    /** The messages that this seat can send. */
    messages,
    at: `/encounters/${encodeURIComponent(encounter)}`,
    isGm: seat.role === "gm",
    canAct: seat.role === "gm" || seat.role === "player",
    isOnline: signal(true),
    /** Why this page can no longer be used; null if it can. */
    lost: signal(""),
    isBusy: signal(false),
    problem: signal(""),
    notice: signal(""),
    /** Whether dice are rolled by hand and typed in. */
    byHand: signal(false),
    wanted: signal(/** @type {Wanted | null} */ (null)),
    unanswered: /** @type {Unanswered | null} */ (null),
    /** When the time to answer ends, as `performance.now` counts; null: there is no limit. */
    deadline: signal(/** @type {number | null} */ (null)),
    /** The correction that the table is asked about. */
    proposal: signal(/** @type {any} */ (null)),
    /** The combatant whose menu is open, if the seat has several. */
    chosen: signal(/** @type {string | null} */ (null)),
    /** What else waits for a click on the map. */
    picking: signal(/** @type {((square: Square) => void) | null} */ (null)),
  };
}

/** The combatants of this seat. @param {Table} table */
export function own(table) {
  const who = table.now.value.who ?? {};
  return Object.keys(who).filter((id) => !who[id].gone && (table.isGm || table.seat.combatants.includes(id)));
}

/** The combatant with the open menu: the chosen one, the one whose turn it is, or the first. @param {Table} table */
export function acting(table) {
  const mine = own(table);
  const [chosen, turn] = [table.chosen.value, table.now.value.turn];
  if (chosen && mine.includes(chosen)) return chosen;
  return turn && mine.includes(turn) ? turn : mine[0] ?? null;
}

/**
 * Send a message. Missing dice are asked for; refusals are shown.
 *
 * @param {Table} table
 * @param {string} path
 * @param {any} body
 * @param {{headers?: Record<string, string>}} [options]
 * @returns {Promise<any>} The answer, or null.
 */
export async function say(table, path, body, { headers = {} } = {}) {
  const asked = table.byHand.value && body.dice === undefined && takesDice(table, path) ? { ...body, dice: [] } : body;
  const sent = { said: JSON.stringify([path, asked]), after: table.last.value };
  const key = keyOf(table, sent);
  batch(() => {
    table.isBusy.value = true;
    table.problem.value = "";
    table.notice.value = "";
  });
  try {
    const { said } = await post(table.at + path, asked, { "Idempotency-Key": key, ...headers });
    table.wanted.value = null;
    table.unanswered = null;
    return said;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    table.unanswered = LOST.has(error.status) ? { ...sent, key } : null;
    hear(table, error, { path, body, key, given: asked.dice ?? [], rolls: error.facts.rolls ?? [] });
    return null;
  } finally {
    table.isBusy.value = false;
  }
}

/** After these, it may or may not have been done; 0 means that there was no answer. */
const LOST = new Set([0, 502, 503, 504]);

/** A command whose answer was lost keeps its key if it is sent again before anything else has happened, so it is done once. @param {Table} table @param {{said: string, after: number}} sent */
function keyOf({ unanswered }, { said, after }) {
  return unanswered && unanswered.said === said && unanswered.after === after ? unanswered.key : newKey();
}

/** @param {Table} table @param {string} path */
function takesDice({ messages }, path) {
  return messages.some((message) => pathOf(message) === path && message.fields.properties.dice && !message.fields.properties.correction);
}

/** @param {Table} table @param {Refused} refused @param {Wanted} wanted */
function hear(table, refused, wanted) {
  if (refused.code === "dice/too-few" && wanted.rolls.length) table.wanted.value = wanted;
  else table.problem.value = refused.message;
  if (refused.status === 401) table.lost.value = refused.message;
}

/** Give the faces that were rolled by hand. A command that was refused was not carried out, so it needs a new key. @param {Table} table @param {number[]} faces */
export function giveDice(table, faces) {
  const wanted = table.wanted.value;
  if (!wanted) return Promise.resolve(null);
  return say(table, wanted.path, { ...wanted.body, dice: [...wanted.given, ...faces] });
}

/** What a combatant can do, asked for again whenever something happens. @param {Table} table */
export function followMenu(table) {
  const menu = signal(/** @type {{who: string | null, sections: any[]}} */ ({ who: null, sections: [] }));
  let waiting = 0;
  effect(() => {
    const [who, seq] = [acting(table), table.last.value];
    clearTimeout(waiting);
    if (!table.canAct || !who || !seq) return;
    waiting = setTimeout(async () => {
      try {
        menu.value = { who, sections: await get(`${table.at}/combatants/${encodeURIComponent(who)}/actions`) };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        menu.value = { who, sections: [] };
      }
    }, PAUSE);
  });
  return menu;
}

/** How long the player who is asked has to answer: documents of pages have no times, so the state is asked for it. @param {Table} table */
export function followLimits(table) {
  let question = "";
  effect(() => {
    const asked = table.now.value.window;
    const before = question;
    question = JSON.stringify(asked ?? null);
    // A document that is sent again asks the same question: its buttons must not go away under a click.
    if (question !== before) table.deadline.value = null;
    if (!asked || table.seat.delay) return;
    getDated(`${table.at}/state`).then(
      ({ said, until }) => { if (table.now.value.window === asked) table.deadline.value = said.asked?.until ? performance.now() + until(said.asked.until) : null; },
      (error) => { if (!(error instanceof Refused)) throw error; },
    );
  });
}

/** The open proposal, fetched again after every proposal, answer or correction. @param {Table} table */
export function followProposals(table) {
  effect(() => {
    const { events, corrections } = table.player.fight;
    const latest = events.findLast((event) => event.consent);
    if (!latest || corrections.some((one) => one.seq > latest.seq)) {
      table.proposal.value = null;
      return;
    }
    get(`${table.at}/proposals`).then(
      (found) => { table.proposal.value = found.findLast((/** @type {any} */ one) => one.open) ?? null; },
      (error) => { if (!(error instanceof Refused)) throw error; },
    );
  });
}

const PAUSE = 60;

/** Show the fight as it is now, for those who are about to do something in it. @param {Table} table */
export function toNow(table) {
  table.player.mode.value = "counting";
  goTo(table.player, Infinity);
}
