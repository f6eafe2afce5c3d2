// @ts-check
/** What a GM can say, as data: the fields that are asked for, and the resource that is told. */

/** @param {string} text */
const listed = (text) => text.split(",").map((one) => one.trim()).filter(Boolean);

/** `hp=12, reaction=0` as a mapping. @param {string} text */
const pairs = (text) => Object.fromEntries(listed(text).map((one) => one.split("=")).map(([name, value]) => [name.trim(), Number(value)]));

/** `3,4=# 5,4=.` as a mapping from squares to letters. @param {string} text */
const squares = (text) => Object.fromEntries(text.split(/\s+/).filter(Boolean).map((one) => [one.split("=")[0], one.split("=")[1] ?? ""]));

/** @param {string} text */
const number = (text) => (text === "" ? null : Number(text));

/** @typedef {import("./form.js").Values} Values */

/** @type {{title: string, path: string, fields: import("./form.js").Field[], body: (values: Values) => any}[]} */
export const SAID = [
  {
    title: "Rule", path: "/rulings",
    fields: [
      { name: "reason", label: "Why", required: true },
      { name: "who", label: "About", kind: "who" },
      { name: "set", label: "Set", hint: "such as hp=12, reaction=0" },
      { name: "add", label: "Add conditions", hint: "such as prone, poisoned" },
      { name: "remove", label: "Remove conditions" },
      { name: "to", label: "Put it at", kind: "square" },
      { name: "side", label: "Put it on the side" },
      { name: "terrain", label: "Change the map", hint: "such as 3,4=# 5,4=." },
      { name: "note", label: "Note" },
      { name: "answers", label: "Settles the question of event", kind: "number" },
      { name: "secret", label: "Players see what it changes, and not the ruling", kind: "check" },
    ],
    body: ({ reason, who, set, add, remove, to, side, terrain, note, answers, secret }) => ({
      reason, who: who || null, set: pairs(set), add: listed(add), remove: listed(remove), to: to || null, side: side || null,
      terrain: squares(terrain), note: note || null, answers: number(answers), secret,
    }),
  },
  {
    title: "Deal damage", path: "/hurt",
    fields: [
      { name: "who", label: "To whom", kind: "several" }, { name: "amount", label: "How much", kind: "number", required: true },
      { name: "type", label: "Type", hint: "such as fire" }, { name: "reason", label: "Why" },
    ],
    body: ({ who, amount, type, reason }) => ({ who, amount: Number(amount), type: type || null, reason }),
  },
  {
    title: "Heal", path: "/heal",
    fields: [{ name: "who", label: "Whom", kind: "several" }, { name: "amount", label: "How much", kind: "number", required: true }, { name: "pool", label: "What", hint: "if not the usual, such as temp_hp" }, { name: "reason", label: "Why" }],
    body: ({ who, amount, pool, reason }) => ({ who, amount: Number(amount), pool: pool || null, reason }),
  },
  {
    title: "Roll", path: "/rolls",
    fields: [
      { name: "notation", label: "Dice", required: true, value: "1d20" }, { name: "purpose", label: "What for", value: "roll" },
      { name: "who", label: "For", kind: "who" }, { name: "secret", label: "Only GMs see it", kind: "check" },
    ],
    body: ({ notation, purpose, who, secret }) => ({ notation, purpose, who: who || null, secret }),
  },
  {
    title: "Note", path: "/notes",
    fields: [{ name: "text", label: "Text", required: true }, { name: "about", label: "About", kind: "who" }, { name: "secret", label: "Only GMs see it", kind: "check" }],
    body: ({ text, about, secret }) => ({ text, about: about || null, secret }),
  },
  { title: "Reveal", path: "/reveal", fields: [{ name: "who", label: "Whom the players see from now on", kind: "several" }], body: ({ who }) => ({ who }) },
  { title: "Conceal", path: "/conceal", fields: [{ name: "who", label: "Whom the players no longer see", kind: "several" }], body: ({ who }) => ({ who }) },
  {
    title: "Take somebody out", path: "/leave",
    fields: [{ name: "who", label: "Whom", kind: "who", required: true }, { name: "reason", label: "Why", value: "left the fight" }],
    body: ({ who, reason }) => ({ who, reason }),
  },
  {
    title: "Set initiative", path: "/initiative",
    fields: [{ name: "who", label: "Whose", kind: "who", required: true }, { name: "value", label: "Initiative", kind: "number", required: true }, { name: "reason", label: "Why" }],
    body: ({ who, value, reason }) => ({ values: { [who]: Number(value) }, reason }),
  },
  {
    title: "Rest", path: "/rests",
    fields: [
      { name: "kind", label: "How long", kind: "choice", values: ["short", "long"], value: "short" }, { name: "who", label: "Who; if nobody is chosen, all", kind: "several" },
      { name: "hitDice", label: "Hit dice that each spends", kind: "number", value: "0" },
    ],
    body: ({ kind, who, hitDice }) => ({ kind, who, hit_dice: Number(hitDice) }),
  },
  {
    title: "Label", path: "/labels",
    fields: [{ name: "add", label: "Add", hint: "such as practice, archived" }, { name: "remove", label: "Remove" }, { name: "reason", label: "Why" }],
    body: ({ add, remove, reason }) => ({ add: listed(add), remove: listed(remove), reason: reason || null }),
  },
];

/** What whoever plays a combatant can settle before it is asked. @param {string[]} reactions By name. @returns {typeof SAID[number]} */
export const policies = (reactions) => ({
  title: "Reactions", path: "/policies",
  fields: [
    { name: "reaction", label: "When it is offered", kind: "choice", values: [...reactions, ALL], value: reactions[0] ?? ALL },
    { name: "policy", label: "it", kind: "choice", values: Object.keys(POLICIES), value: "is asked" },
  ],
  body: ({ who, reaction, policy }) => ({ who, policies: { [reaction === ALL ? "*" : reaction]: POLICIES[policy] } }),
});

const ALL = "any other reaction";

/** As `ledger.events.Policy` has them. @type {Record<string, string>} */
const POLICIES = { "is asked": "ask", "always reacts": "always", "never reacts": "never", "reacts when it is useful": "when useful" };
