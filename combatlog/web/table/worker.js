// @ts-check
/**
 * One stream for all tabs: a browser opens only a few connections to a server. It runs in a SharedWorker, or within the
 * page where there is none. It imports nothing, because import maps do not reach into a worker.
 *
 * A page sends `{watch: address, seat}`, and `{leave: true}` when it is closed. It gets `{kind: "document" or "part",
 * data}`, and `{kind: "open"}` or `{kind: "lost"}` when the connection comes and goes.
 */

/** @typedef {{kind: string, data?: string}} Told */
/** @typedef {{postMessage: (told: Told) => void}} Page */
/** @typedef {{pages: Set<Page>, known: Told[], isOpen: boolean, source: EventSource | null}} Stream */

const AGAIN = 1000;

/** @type {Map<string, Stream>} */
const streams = new Map();

/** @param {Page} page @param {{watch?: string, seat?: string, leave?: boolean}} said */
function hear(page, said) {
  if (said.watch) watch(page, said.watch, `${said.watch} ${said.seat}`);
  else if (said.leave) leave(page);
}

/** @param {Page} page @param {string} address @param {string} key */
function watch(page, address, key) {
  const stream = streams.get(key) ?? { pages: new Set(), known: [], isOpen: false, source: null };
  stream.pages.add(page);
  if (!streams.has(key)) {
    streams.set(key, stream);
    open(stream, address);
  }
  stream.known.forEach((told) => page.postMessage(told));
  if (stream.isOpen) page.postMessage({ kind: "open" });
}

/** @param {Stream} stream @param {string} address */
function open(stream, address) {
  const source = new EventSource(address);
  const tell = (/** @type {Told} */ told) => stream.pages.forEach((page) => page.postMessage(told));
  const pass = (/** @type {MessageEvent} */ message) => {
    const told = { kind: message.type, data: message.data };
    stream.known = message.type === "document" ? [told] : [...stream.known, told];
    tell(told);
  };
  stream.source = source;
  source.addEventListener("document", pass);
  source.addEventListener("part", pass);
  source.onopen = () => {
    stream.isOpen = true;
    tell({ kind: "open" });
  };
  source.onerror = () => {
    stream.isOpen = false;
    tell({ kind: "lost" });
    if (source.readyState === EventSource.CLOSED && stream.pages.size) setTimeout(() => stream.pages.size && open(stream, address), AGAIN);
  };
}

/** @param {Page} page */
function leave(page) {
  for (const [key, stream] of streams) {
    if (!stream.pages.delete(page) || stream.pages.size) continue;
    stream.source?.close();
    streams.delete(key);
  }
}

const scope = /** @type {any} */ (globalThis);
if ("onconnect" in scope) {
  scope.onconnect = (/** @type {any} */ event) => {
    const port = event.ports[0];
    port.onmessage = (/** @type {MessageEvent} */ message) => hear(port, message.data);
  };
} else {
  scope.combatlogStreams = hear;
}
