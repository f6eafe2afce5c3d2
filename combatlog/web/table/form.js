// @ts-check
/** Forms that are generated from messages: the service sends the messages with their fields, and one component draws them. */
import { html } from "htm/preact";
import { useMemo, useState } from "preact/hooks";
import { nameOf } from "../modules/fight.js";
import { blankOf, exampleOf, fieldsOf, pathOf, valuesOf } from "./fields.js";
import { say } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./fields.js").Field} Field */
/** @typedef {import("./fields.js").Message} Message */
/** @typedef {import("../modules/types.js").Square} Square */
/** @typedef {Record<string, any>} Values */
/** @typedef {Record<string, [string, string][]>} Known What the keys of a mapping can be, and how they are called, by what they name. */

/**
 * @param {object} props
 * @param {Table | null} [props.table] Without one, there is no map, and there are no combatants.
 * @param {Message} props.message
 * @param {Values} [props.given] What is not asked for, because it is known.
 * @param {Known} [props.known]
 * @param {string} [props.submit] What the button says.
 * @param {(values: Values) => Promise<any>} [props.onSubmit] Returns nothing if it was refused; then the form keeps what was typed.
 */
export function Form({ table = null, message, given = {}, known = {}, submit = message.title, onSubmit }) {
  const fields = useMemo(() => fieldsOf(message, Object.keys(given)), [message, Object.keys(given).join()]);
  const blank = useMemo(() => Object.fromEntries(fields.map((field) => [field.name, blankOf(field)])), [fields]);
  const [typed, setTyped] = useState(/** @type {Values} */ (blank));
  const set = (/** @type {string} */ name, /** @type {any} */ value) => setTyped((before) => ({ ...before, [name]: value }));
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const values = { ...valuesOf(fields, typed), ...given };
    if (await (onSubmit ? onSubmit(values) : table && say(table, pathOf(message), values))) setTyped(blank);
  };
  return html`
    <form class="fields" onSubmit=${send}>
      ${fields.map((field) => html`<${Asked} key=${field.name} table=${table} known=${known} field=${field} value=${typed[field.name]} onInput=${(/** @type {any} */ value) => set(field.name, value)} />`)}
      <p class="buttons"><button type="submit" class="main" disabled=${table?.isBusy.value}>${submit}</button></p>
    </form>`;
}

/** @param {{table: Table | null, known: Known, field: Field, value: any, onInput: (value: any) => void}} props */
function Asked({ table, known, field, value, onInput }) {
  const now = table?.now.value ?? {};
  const ids = Object.keys(now.who ?? {}).filter((id) => !now.who?.[id].gone);
  const { label, schema, required } = field;
  const hint = field.hint && html` <span class="dim">${field.hint}</span>`;
  const typed = (/** @type {any} */ event) => onInput(event.target.value);
  const several = schema.examples?.length > 1;
  switch (field.kind) {
    case "check":
      return html`<p><label><input type="checkbox" checked=${value} onChange=${(/** @type {any} */ event) => onInput(event.target.checked)} /> ${label}</label>${hint}</p>`;
    case "who":
      return html`<p><label>${label}${" "}<select value=${value} required=${required} onChange=${typed}>
        <option value="">${required ? "choose" : "nobody"}</option>${ids.map((id) => html`<option value=${id}>${nameOf(now, id)}</option>`)}</select></label>${hint}</p>`;
    case "choice":
      return html`<p><label>${label}${" "}<select value=${value} onChange=${typed}>${!required && (schema.default ?? null) === null && html`<option value="">as usual</option>`}${field.values?.map((one) => html`<option value=${one}>${one}</option>`)}</select></label>${hint}</p>`;
    case "several":
      return html`<fieldset><legend>${label}</legend>${hint}${ids.map((id) => html`
        <label class="target"><input type="checkbox" checked=${value.includes(id)} onChange=${() => onInput(value.includes(id) ? value.filter((/** @type {string} */ one) => one !== id) : [...value, id])} /> ${nameOf(now, id)}</label>`)}</fieldset>`;
    case "square":
      return html`<${SquareInput} label=${label} value=${value || null} onInput=${onInput}
        onPick=${table && (() => { table.picking.value = (square) => { onInput(square); table.picking.value = null; }; })} />`;
    case "each": {
      const keys = field.keys === "combatant" ? ids.map((id) => [id, nameOf(now, id)]) : known[field.keys ?? ""] ?? [];
      const parts = keys.map(([name, called]) => ({ .../** @type {Field} */ (field.each), name, label: called, required: false }));
      return html`<fieldset><legend>${label}</legend>${hint}<${Parts} ...${{ table, known, parts, value, onInput }} /></fieldset>`;
    }
    case "parts":
      return html`<fieldset><legend>${label}</legend>${hint}<${Parts} ...${{ table, known, parts: field.parts, value, onInput }} /></fieldset>`;
    case "rows":
      return html`<p><label>${label}<br /><textarea rows="6" cols="30" spellcheck=${false} value=${value} onInput=${typed}></textarea></label>${hint}</p>`;
    case "number":
      return html`<p><label>${label}${" "}<input type="number" min=${schema.minimum} max=${schema.maximum} value=${value} required=${required} onInput=${typed} /></label>${hint}</p>`;
    default:
      return html`<p><label>${label}${" "}<input type="text" list=${several && `${field.name}-examples`} maxlength=${schema.maxLength} placeholder=${exampleOf(field)} value=${value} required=${required} onInput=${typed} /></label>${hint}
        ${several && html`<datalist id=${`${field.name}-examples`}>${schema.examples.map((/** @type {string} */ one) => html`<option value=${one} />`)}</datalist>`}</p>`;
  }
}

/** Several fields that make one value. @param {{table: Table | null, known: Known, parts: Field[], value: Values, onInput: (value: Values) => void}} props */
function Parts({ table, known, parts, value, onInput }) {
  return parts.map((part) => html`<${Asked} key=${part.name} table=${table} known=${known} field=${part} value=${value[part.name] ?? blankOf(part)}
    onInput=${(/** @type {any} */ one) => onInput({ ...value, [part.name]: one })} />`);
}

/** A square, typed or picked on the map. @param {{label: string, value: Square | null, onInput: (square: Square | null) => void, onPick?: (() => void) | null}} props */
export function SquareInput({ label, value, onInput, onPick }) {
  const read = (/** @type {any} */ event) => {
    const found = event.target.value.match(/^\s*(\d+)\s*,\s*(\d+)\s*$/);
    onInput(found ? [Number(found[1]), Number(found[2])] : null);
  };
  return html`<p><label>${label}${" "}<input type="text" class="square" size="6" placeholder="column,row" value=${value ? value.join() : undefined} onChange=${read} /></label>
    ${onPick && html` <button type="button" onClick=${onPick}>Pick on the map</button>`}</p>`;
}

/** Part of a panel, which is filled when it is opened. @param {{title: string, children?: any}} props */
export function Part({ title, children }) {
  const [isOpen, setIsOpen] = useState(false);
  return html`<details class="part" onToggle=${(/** @type {any} */ event) => setIsOpen(event.currentTarget.open)}><summary>${title}</summary>${isOpen && children}</details>`;
}

/** A message as a part of a panel. @param {{table: Table, message: Message, given?: Values, known?: Known}} props */
export function Said({ table, message, given, known }) {
  return html`<${Part} title=${message.title}><p class="dim">${message.summary}</p><${Form} ...${{ table, message, given, known }} /></${Part}>`;
}
