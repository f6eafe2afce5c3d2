// @ts-check
/** Asking the service. The seat is in a cookie that scripts cannot read; the header says that this page asks. */

/** What the service refuses: its code, its sentence, and the facts. */
export class Refused extends Error {
  /** @param {number} status @param {any} said */
  constructor(status, said) {
    super(said.detail ?? "The service does not answer.");
    this.status = status;
    this.code = /** @type {string} */ (said.code ?? "");
    this.facts = /** @type {Record<string, any>} */ (said.facts ?? {});
  }
}

/** @param {string} path @param {RequestInit} [options] */
async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(`/v1${path}`, { credentials: "same-origin", ...options });
  } catch {
    throw new Refused(0, { detail: "The service does not answer. It may be restarting; try again." });
  }
  const said = cleaned(await answer.json().catch(() => ({})));
  if (!answer.ok) throw new Refused(answer.status, said);
  return { said, tag: answer.headers.get("ETag"), time: answer.headers.get("Combatlog-Time") };
}

/** Everything that cannot be printed: control codes, and marks that change the direction of writing. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

/** An answer as people may read it; `projections.story.text.clean` does the same for documents of pages. @param {any} said @returns {any} */
function cleaned(said) {
  if (typeof said === "string") return said.replace(UNPRINTABLE, "\ufffd");
  if (Array.isArray(said)) return said.map(cleaned);
  if (said === null || typeof said !== "object") return said;
  return Object.fromEntries(Object.entries(said).map(([name, value]) => [name, cleaned(value)]));
}

/** @param {string} path */
export async function get(path) {
  return (await ask(path)).said;
}

/** An answer, and for how many milliseconds from then on a time lies ahead: by the clock of the service, since that of the browser may be wrong. @param {string} path */
export async function getDated(path) {
  const { said, time } = await ask(path);
  const then = time ? Date.parse(time) : Date.now();
  return { said, until: (/** @type {string} */ time) => Date.parse(time) - then };
}

/** One command. @param {string} path @param {any} body @param {Record<string, string>} [headers] */
export async function post(path, body, headers = {}) {
  const sent = { "Content-Type": "application/json", "X-Combatlog": "1", ...headers };
  return ask(path, { method: "POST", body: JSON.stringify(body), headers: sent });
}

/** @param {string} path */
export async function remove(path) {
  return ask(path, { method: "DELETE", headers: { "X-Combatlog": "1" } });
}

/** Ids need not be secret, only different. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
