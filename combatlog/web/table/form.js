// @ts-check
/** Forms from tables: what a GM can say is data, and one component asks for it. */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { nameOf } from "../modules/fight.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../modules/types.js").Square} Square */
/** @typedef {"text" | "number" | "who" | "several" | "check" | "square" | "choice"} Kind */
/** @typedef {{name: string, label: string, kind?: Kind, required?: boolean, value?: string, values?: string[], hint?: string}} Field */
/** @typedef {Record<string, any>} Values */

/**
 * @param {object} props
 * @param {Table} props.table
 * @param {Field[]} props.fields
 * @param {string} props.submit What the button says.
 * @param {(values: Values) => Promise<any>} props.onSubmit Returns nothing if it was refused; then the form keeps what was typed.
 */
export function Form({ table, fields, submit, onSubmit }) {
  const blank = Object.fromEntries(fields.map((field) => [field.name, field.kind === "several" ? [] : field.kind === "check" ? false : field.value ?? ""]));
  const [values, setValues] = useState(/** @type {Values} */ (blank));
  const set = (/** @type {string} */ name, /** @type {any} */ value) => setValues((known) => ({ ...known, [name]: value }));
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (await onSubmit(values)) setValues(blank);
  };
  return html`
    <form class="fields" onSubmit=${send}>
      ${fields.map((field) => html`<${Asked} key=${field.name} table=${table} field=${field} value=${values[field.name]} onInput=${(/** @type {any} */ value) => set(field.name, value)} />`)}
      <p class="buttons"><button type="submit" class="main" disabled=${table.isBusy.value}>${submit}</button></p>
    </form>`;
}

/** @param {{table: Table, field: Field, value: any, onInput: (value: any) => void}} props */
function Asked({ table, field, value, onInput }) {
  const now = table.now.value;
  const ids = Object.keys(now.who ?? {}).filter((id) => !now.who?.[id].gone);
  const hint = field.hint && html`<span class="dim">${field.hint}</span>`;
  const typed = (/** @type {any} */ event) => onInput(event.target.value);
  switch (field.kind) {
    case "check":
      return html`<p><label><input type="checkbox" checked=${value} onChange=${(/** @type {any} */ event) => onInput(event.target.checked)} /> ${field.label}</label> ${hint}</p>`;
    case "who":
      return html`<p><label>${field.label}${" "}<select value=${value} required=${field.required} onChange=${typed}>
        <option value="">${field.required ? "choose" : "nobody in particular"}</option>${ids.map((id) => html`<option value=${id}>${nameOf(now, id)}</option>`)}</select></label> ${hint}</p>`;
    case "choice":
      return html`<p><label>${field.label}${" "}<select value=${value} onChange=${typed}>${field.values?.map((one) => html`<option value=${one}>${one}</option>`)}</select></label> ${hint}</p>`;
    case "several":
      return html`<fieldset><legend>${field.label}</legend>${ids.map((id) => html`
        <label class="target"><input type="checkbox" checked=${value.includes(id)} onChange=${() => onInput(value.includes(id) ? value.filter((/** @type {string} */ one) => one !== id) : [...value, id])} /> ${nameOf(now, id)}</label>`)}</fieldset>`;
    case "square":
      return html`<${SquareInput} label=${field.label} value=${value || null} onInput=${onInput}
        onPick=${() => { table.picking.value = (square) => { onInput(square); table.picking.value = null; }; }} />`;
    default:
      return html`<p><label>${field.label}${" "}<input type=${field.kind === "number" ? "number" : "text"} value=${value} required=${field.required} onInput=${typed} /></label> ${hint}</p>`;
  }
}

/** A square, typed or picked on the map. @param {{label: string, value: Square | null, onInput: (square: Square | null) => void, onPick?: () => void}} props */
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
