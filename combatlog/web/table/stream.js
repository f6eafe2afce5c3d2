// @ts-check
/** Following a fight: the page's end of the stream that all tabs share. */

/** @typedef {import("../modules/types.js").Document} Document */
/** @typedef {{onDocument: (data: Document) => void, onPart: (part: any) => void, onLink: (isOpen: boolean) => void}} Hooks */

const WORKER = "/web/table/worker.js";

/** @param {string} address @param {string} seat @param {Hooks} hooks */
export async function watch(address, seat, hooks) {
  const hear = (/** @type {{kind: string, data?: string}} */ told) => {
    if (told.kind === "document") hooks.onDocument(JSON.parse(told.data ?? ""));
    else if (told.kind === "part") hooks.onPart(JSON.parse(told.data ?? ""));
    else hooks.onLink(told.kind === "open");
  };
  const say = await connected(hear);
  const begin = () => say({ watch: address, seat });
  begin();
  addEventListener("pagehide", () => say({ leave: true }));
  addEventListener("pageshow", (event) => event.persisted && begin());
}

/** The connection to the worker that holds the stream; phones have no SharedWorker, and few tabs. @param {(told: any) => void} hear @returns {Promise<(said: any) => void>} */
async function connected(hear) {
  if (typeof SharedWorker === "undefined") {
    await import(WORKER);
    const page = { postMessage: hear };
    return (said) => /** @type {any} */ (globalThis).combatlogStreams(page, said);
  }
  const { port } = new SharedWorker(WORKER);
  port.onmessage = (message) => hear(message.data);
  return (said) => port.postMessage(said);
}

/**
 * The document with a part that continues it.
 *
 * @param {Document} document
 * @param {any} part
 * @returns {Document}
 */
export function merged(document, part) {
  const rows = new Map([...document.events, ...part.events].map((row) => [row[0], row]));
  const retold = (/** @type {any[]} */ told, /** @type {[number, any[]]} */ [kept, lines]) => [...told.slice(0, kept), ...lines];
  return {
    ...document,
    events: [...rows.values()],
    recorded: [...document.recorded, ...part.recorded],
    texts: [...document.texts, ...part.texts],
    paths: [...document.paths, ...part.paths],
    story: retold(document.story, part.story),
    ...(document.recorded_story && { recorded_story: retold(document.recorded_story, part.recorded_story) }),
    ...(document.counting && { counting: { ...document.counting, order: [...document.counting.order, ...part.order] } }),
  };
}
