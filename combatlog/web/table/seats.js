// @ts-check
/** Who sits at the table, and links for others. */
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { nameOf } from "../modules/fight.js";
import { get, post, Refused, remove } from "./api.js";
import { Form } from "./form.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {{table: Table}} props */
export function Seats({ table }) {
  const [seats, setSeats] = useState(/** @type {any[]} */ ([]));
  const [link, setLink] = useState("");
  const attempt = async (/** @type {() => Promise<any>} */ act) => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      table.problem.value = error.message;
      return null;
    }
  };
  const load = () => attempt(async () => setSeats(await get(`${table.at}/seats`)));
  useEffect(() => { load(); }, []);
  const invite = (/** @type {any} */ { role, combatants, name, delay }) => attempt(async () => {
    const asked = { role, combatants: role === "player" ? combatants : [], delay: Number(delay) || 0, ...(name && { name }) };
    const { said } = await post(`${table.at}/seats`, asked);
    setLink(said.link);
    await load();
    return said;
  });
  const revoke = (/** @type {string} */ seat) => attempt(async () => { await remove(`${table.at}/seats/${seat}`); await load(); });
  const open = seats.filter((one) => !one.revoked_at);
  return html`
    <table class="seats"><thead><tr><th scope="col">Who</th><th scope="col">Seat</th><th scope="col"><span class="sr-only">Take it away</span></th></tr></thead>
      <tbody>${open.map((one) => html`<tr><td>${one.name ?? "–"}</td>
        <td>${one.role}${one.combatants.length ? ` of ${one.combatants.map((/** @type {string} */ id) => nameOf(table.now.value, id)).join(", ")}` : ""}${one.delay ? `, ${one.delay} s later` : ""}</td>
        <td><button type="button" disabled=${one.seat === table.seat.seat} onClick=${() => revoke(one.seat)}>Take away</button></td></tr>`)}</tbody></table>
    <${Form} table=${table} submit="Give a seat" onSubmit=${invite} fields=${[
      { name: "name", label: "Name" }, { name: "role", label: "As", kind: "choice", values: ["player", "spectator", "auditor", "gm"], value: "player" },
      { name: "combatants", label: "A player plays", kind: "several" }, { name: "delay", label: "A spectator sees it later, in seconds", kind: "number" }]} />
    ${link && html`<p role="status">Send this link; it is shown once: <a class="invitation" href=${link}>${link}</a></p>`}`;
}
