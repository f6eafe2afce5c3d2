// @ts-check
/** The document of a page, unpacked: events, and the state after each of them. */

/** @typedef {import("./types.js").Document} Document */
/** @typedef {import("./types.js").Fight} Fight */
/** @typedef {import("./types.js").FightEvent} FightEvent */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Track} Track */
/** @typedef {import("./types.js").Line} Line */
/** @typedef {import("./types.js").Mark} Mark */

const VERSION = 1;

/**
 * @param {Document} given
 * @returns {Fight}
 */
export function readFight(given) {
  if (given.version !== VERSION) throw new Error(`This page reads documents of version ${VERSION}.`);
  const text = (/** @type {number} */ number) => given.texts[number];
  const events = given.events.map((row) => readEvent(row, text));
  const groups = grouped(events);
  const corrections = new Set(given.corrections.map((one) => one.seq));
  const line = (/** @type {number[]} */ row) => readLine(row, text, groups);
  const recorded = makeTrack(events, given.recorded, given.paths, (given.recorded_story ?? given.story).map(line), corrections);
  const counting = given.counting ? countingTrack(given, events, line, corrections) : recorded;
  return {
    about: given.fight,
    events,
    bySeq: new Map(events.map((event) => [event.seq, event])),
    groups,
    counting,
    recorded,
    isCorrected: given.counting !== undefined,
    corrections: given.corrections.map((one) => ({
      ...one, by: text(one.by), reason: text(one.reason), changes: one.changes.map(text),
    })),
    whyNot: new Map(Object.entries(given.why_not ?? {}).map(([seq, said]) => [Number(seq), pairs(said, text)])),
    report: given.report ?? null,
    checked: given.checked ?? null,
    sides: sidesOf(recorded.states),
    bounds: boundsOf([...recorded.states, ...counting.states]),
  };
}

/**
 * @param {any[]} row
 * @param {(number: number) => string} text
 * @returns {FightEvent}
 */
function readEvent(row, text) {
  const [seq, kind, declaration, cause, round, turn, by, words, more = {}] = row;
  const event = { seq, kind: text(kind), declaration, cause, round, turn: turn || null, by: text(by), words: text(words) };
  return {
    ...event, ...more,
    counted: more.counted ?? [],
    remarks: (more.remarks ?? []).map(text),
    draw: more.draw && readDrawing(more.draw, text),
    dice: more.dice && readDice(more.dice, text),
    change: more.change && readChange(more.change.map(text)),
  };
}

/** @param {any[]} draw @param {(number: number) => string} text */
function readDrawing(draw, text) {
  if (draw[0] !== "area" && draw[0] !== "attack") return draw;
  return draw.map((part, place) => (place === 4 ? text(part) : part));
}

/** @param {any[]} dice @param {(number: number) => string} text */
function readDice(dice, text) {
  const [notation, purpose, faces, kept, added, total, origin, named] = dice;
  const shown = faces.map((/** @type {number} */ face, /** @type {number} */ place) => (
    { face: named ? text(face) : face, kept: Boolean(kept[place]) }
  ));
  return { notation: text(notation), purpose: text(purpose), faces: shown, added, total, origin: text(origin) };
}

/** @param {string[]} said */
function readChange([chain, stage, change, source, owner, reason]) {
  return { chain, stage, change, source, owner, reason };
}

/** @param {number[]} said @param {(number: number) => string} text @returns {[string, string][]} */
function pairs(said, text) {
  return said.flatMap((entry, place) => (place % 2 ? [] : [/** @type {[string, string]} */ ([text(entry), text(said[place + 1])])]));
}

/** @param {FightEvent[]} events */
function grouped(events) {
  /** @type {Map<number, FightEvent[]>} */
  const groups = new Map();
  for (const event of events) {
    const group = groups.get(event.declaration);
    if (group) group.push(event);
    else groups.set(event.declaration, [event]);
  }
  return groups;
}

/**
 * @param {number[]} row
 * @param {(number: number) => string} text
 * @param {Map<number, FightEvent[]>} groups
 * @returns {Line}
 */
function readLine([words, declaration, seq, level], text, groups) {
  const events = groups.get(declaration) ?? [];
  return { text: text(words), declaration, seq, level, gone: events[0]?.gone, events };
}

/**
 * The changes are applied here and nowhere else. States share what stays the same, so every one of them can be kept.
 *
 * @param {FightEvent[]} events
 * @param {(0 | any[])[]} changes
 * @param {string[][]} paths
 * @param {Line[]} lines
 * @param {Set<number>} corrections
 * @returns {Track}
 */
function makeTrack(events, changes, paths, lines, corrections) {
  /** @type {State[]} */
  const states = [];
  /** @type {State} */
  let state = {};
  for (const made of changes) {
    if (made) state = applied(state, made, paths);
    states.push(state);
  }
  const told = ownEvents(lines);
  return {
    events, states, lines: told,
    lineOf: linesOf(events, told),
    marks: marksOf(events, changes, paths, states, corrections),
    placeOf: new Map(events.map((event, place) => [event.seq, place])),
  };
}

/**
 * @param {Document} given
 * @param {FightEvent[]} events
 * @param {(row: number[]) => Line} line
 * @param {Set<number>} corrections
 */
function countingTrack(given, events, line, corrections) {
  const { order, changes } = /** @type {NonNullable<Document["counting"]>} */ (given.counting);
  const made = order.map((place, number) => (Object.hasOwn(changes, number) ? changes[number] : given.recorded[place]));
  return makeTrack(order.map((place) => events[place]), made, given.paths, given.story.map(line), corrections);
}

/** @param {State} state @param {any[]} changes @param {string[][]} paths @returns {State} */
export function applied(state, changes, paths) {
  let now = /** @type {any} */ (state);
  for (let at = 0; at < changes.length; at += 2) now = changed(now, paths[changes[at]], 0, changes[at + 1]);
  return now;
}

/** @param {any} node @param {string[]} path @param {number} depth @param {any} value @returns {any} */
function changed(node, path, depth, value) {
  const name = path[depth];
  const is = node !== undefined && Object.hasOwn(node, name) ? node[name] : undefined;
  if (depth < path.length - 1) return { ...node, [name]: changed(is ?? {}, path, depth + 1, value) };
  if (value !== null) return { ...node, [name]: value };
  const { [name]: _, ...rest } = node;
  return rest;
}

/** Of a declaration that several lines tell, each line has its own part of the events. @param {Line[]} lines */
function ownEvents(lines) {
  /** @type {Map<number, number>} */
  const nexts = new Map();
  const told = [];
  for (const line of [...lines].reverse()) {
    const next = nexts.get(line.declaration) ?? Infinity;
    told.push({ ...line, events: line.events.filter((event) => event.seq >= line.seq && event.seq < next) });
    if (line.seq) nexts.set(line.declaration, line.seq);
  }
  return told.reverse();
}

/** @param {FightEvent[]} events @param {Line[]} lines */
function linesOf(events, lines) {
  /** @type {Map<number, number>} */
  const known = new Map();
  lines.forEach((line, number) => line.events.forEach((event) => known.set(event.seq, number)));
  let last = -1;
  return events.map((event) => (last = known.get(event.seq) ?? last));
}

/**
 * @param {FightEvent[]} events
 * @param {(0 | any[])[]} changes
 * @param {string[][]} paths
 * @param {State[]} states
 * @param {Set<number>} corrections
 */
function marksOf(events, changes, paths, states, corrections) {
  /** @type {Mark[]} */
  const marks = [];
  events.forEach((event, place) => {
    const mark = (/** @type {Mark["kind"]} */ kind, /** @type {string} */ label) => marks.push({ place, kind, label });
    if (event.kind === "round_started") mark("round", event.words);
    else if (event.kind === "turn_started") mark("turn", event.words);
    else if (corrections.has(event.seq)) mark("correction", event.words);
    else if (event.draw?.[0] === "attack" && event.draw[3]) mark("hit", event.words);
    for (const who of fallenIn(changes[place], paths)) mark("death", `${nameOf(states[place], who)} falls`);
  });
  return marks;
}

/** @param {0 | any[]} made @param {string[][]} paths */
function fallenIn(made, paths) {
  if (!made) return [];
  const fell = (/** @type {number} */ at) => paths[made[at]].length === 3 && paths[made[at]][2] === "fallen" && made[at + 1];
  return made.flatMap((_, at) => (at % 2 === 0 && fell(at) ? [paths[made[at]][1]] : []));
}

/** @param {State} state @param {string | null | undefined} who */
export function nameOf(state, who) {
  if (!who) return "";
  return state.who && Object.hasOwn(state.who, who) ? state.who[who].name : who;
}

/** The heroes come first, and have the first colour. @param {State[]} states */
function sidesOf(states) {
  const sides = new Set();
  for (const state of new Set(states.map((one) => one.who))) for (const one of Object.values(state ?? {})) sides.add(one.side);
  return [...sides].sort((one, other) => Number(other === "heroes") - Number(one === "heroes"));
}

const OPEN_GROUND = 30;

/** The part of the map that is shown: all of it or, on open ground, the part where combatants ever stood. @param {State[]} states */
function boundsOf(states) {
  const drawn = states.find((state) => state.map)?.map;
  if (drawn) return { x: 0, y: 0, width: drawn[0].length, height: Object.keys(drawn).length };
  const squares = [...new Set(states.map((state) => state.who))].flatMap((who) => Object.values(who ?? {}).flatMap(squaresOf));
  if (!squares.length) return { x: 0, y: 0, width: 0, height: 0 };
  const [columns, rows] = [squares.map((square) => square[0]), squares.map((square) => square[1])];
  const from = (/** @type {number[]} */ values) => Math.max(0, Math.min(...values) - 2);
  const to = (/** @type {number[]} */ values) => Math.min(OPEN_GROUND, Math.max(...values) + 3);
  const [x, y] = [from(columns), from(rows)];
  return { x, y, width: Math.max(8, to(columns) - x), height: Math.max(6, to(rows) - y) };
}

/** The squares that a combatant covers. @param {import("./types.js").Combatant} one @returns {import("./types.js").Square[]} */
export function squaresOf(one) {
  return one.spaces ?? (one.at ? [one.at] : []);
}
