// @ts-check
/** The fields of a form, from the JSON Schema of a message: what to ask for, and how input becomes a value. */

/** @typedef {import("../modules/types.js").Square} Square */
/** @typedef {"text" | "number" | "who" | "several" | "check" | "square" | "choice" | "listed" | "rows" | "pairs" | "each" | "parts"} Kind */
/** @typedef {Record<string, any>} Schema */
/** @typedef {{name: string, title: string, summary: string, right: string, address: string, asks: string[], fields: Schema}} Message */
/**
 * `keys` is what the keys of a mapping name, `each` the field for each of its values, `parts` the fields of one thing in a list.
 * @typedef {{name: string, label: string, hint: string, kind: Kind, required: boolean, schema: Schema, values?: string[], keys?: string, each?: Field, parts?: Field[]}} Field
 */

/** The fields of a form. @param {Message} message @param {string[]} given Fields whose values are known. @returns {Field[]} */
export function fieldsOf({ asks, fields }, given = []) {
  const required = fields.required ?? [];
  return asks.filter((name) => !given.includes(name)).map((name) => fieldOf(name, fields.properties[name], fields.$defs ?? {}, required.includes(name)));
}

/** Below the address of the fight. @param {Message} message */
export function pathOf({ address }) {
  return address.replace(/^\/v1\/encounters\/\{encounter\}/, "");
}

/** @param {string} name @param {Schema} property @param {Schema} known @param {boolean} required @returns {Field} */
function fieldOf(name, property, known, required) {
  const schema = resolved(property, known);
  const [label, ...more] = (schema.description ?? name.replaceAll("_", " ")).split(/; /);
  const field = { name, label: label[0].toUpperCase() + label.slice(1), hint: more.join("; "), required, schema };
  const values = schema.enum ?? (schema.const !== undefined ? [schema.const] : undefined);
  if (values) return { ...field, kind: "choice", values };
  if (schema.format === "square") return { ...field, kind: "square" };
  if (schema.type === "boolean") return { ...field, kind: "check" };
  if (schema.type === "integer" || schema.type === "number") return { ...field, kind: "number" };
  if (schema.type === "array") return listOf(field, resolved(schema.items ?? {}, known), known);
  if (schema.type === "object") return mappingOf(field, known);
  return { ...field, kind: schema.format === "combatant" ? "who" : "text" };
}

/** @param {Omit<Field, "kind">} field @param {Schema} item @param {Schema} known @returns {Field} */
function listOf(field, item, known) {
  if (item.format === "combatant") return { ...field, kind: "several" };
  if (item.properties) {
    const parts = Object.entries(item.properties).map(([name, part]) => fieldOf(name, part, known, false));
    return { ...field, kind: "parts", parts };
  }
  return { ...field, kind: item.maxLength >= LONG ? "rows" : "listed" };
}

/** @param {Omit<Field, "kind">} field @param {Schema} known @returns {Field} */
function mappingOf(field, known) {
  const keys = field.schema.propertyNames?.format;
  const each = fieldOf("each", { ...field.schema.additionalProperties, description: "each" }, known, false);
  return { ...field, kind: keys ? "each" : "pairs", keys, each };
}

/** A list of such texts is one of lines. */
const LONG = 1000;

/** Without references, and as what it is if it is given at all; of several types, the first. @param {Schema} schema @param {Schema} known @returns {Schema} */
function resolved(schema, known) {
  if (schema.$ref) return resolved({ ...known[schema.$ref.split("/").at(-1)], ...schema, $ref: undefined }, known);
  const kinds = (schema.anyOf ?? []).filter((/** @type {Schema} */ one) => one.type !== "null");
  return kinds.length ? { ...resolved(kinds[0], known), ...schema, anyOf: undefined } : schema;
}

/** The first value of a field. @param {Field} field */
export function blankOf({ kind, schema, required, values }) {
  if (kind === "several") return [];
  if (kind === "each" || kind === "parts") return {};
  if (kind === "check") return schema.default ?? false;
  if (kind === "choice") return schema.default ?? (required ? values?.[0] : "");
  return ["string", "number"].includes(typeof schema.default) ? String(schema.default) : "";
}

/** What the form says: what was left empty is left to the defaults. @param {Field[]} fields @param {Record<string, any>} typed */
export function valuesOf(fields, typed) {
  const said = fields.map((field) => [field.name, valueOf(field, typed[field.name])]);
  return Object.fromEntries(said.filter(([, value]) => value !== undefined));
}

/** @param {Field} field @param {any} typed @returns {any} Undefined: nothing was said. */
function valueOf(field, typed) {
  const filled = (/** @type {any} */ value) => (Object.keys(value).length ? value : undefined);
  switch (field.kind) {
    case "check": return typed === (field.schema.default ?? false) ? undefined : typed;
    case "square": return typed || undefined;
    case "number": return typed === "" || typed === undefined ? undefined : Number(typed);
    case "several": return filled(typed);
    case "listed": return filled(typed.split(",").map((/** @type {string} */ one) => one.trim()).filter(Boolean));
    case "rows": return filled(typed.split("\n").map((/** @type {string} */ one) => one.trim()).filter(Boolean));
    case "pairs": return filled(pairsIn(typed, field.schema.additionalProperties));
    case "each": return filled(valuesOf(Object.keys(typed).map((name) => ({ .../** @type {Field} */ (field.each), name })), typed));
    case "parts": {
      const one = valuesOf(field.parts ?? [], typed);
      return (field.parts ?? []).some(({ name, schema }) => one[name] !== undefined && one[name] !== schema.default) ? [one] : undefined;
    }
    default: return typed === "" || typed === undefined ? undefined : typed;
  }
}

/** `hp=12, reaction=0` or `3,4=# 5,4=.` as a mapping. @param {string} text @param {Schema | boolean} values */
function pairsIn(text, values) {
  const type = typeof values === "object" ? values.type : undefined;
  const read = (/** @type {string} */ value) => {
    if (type === "string") return value;
    if (value === "true" || value === "false") return value === "true";
    return value !== "" && !Number.isNaN(Number(value)) ? Number(value) : value;
  };
  const found = text.match(/[^\s,=]+(,[^\s,=]+)*=[^\s,]*/g) ?? [];
  return Object.fromEntries(found.map((pair) => pair.split("=")).map(([name, value]) => [name, read(value)]));
}

/** How an example would be typed. @param {Field} field */
export function exampleOf({ schema }) {
  const [first] = schema.examples ?? [];
  if (first === undefined || first === null) return undefined;
  if (Array.isArray(first)) return first.join(", ");
  if (typeof first !== "object") return String(first);
  return Object.entries(first).map(([name, value]) => `${name}=${value}`).join(" ");
}
