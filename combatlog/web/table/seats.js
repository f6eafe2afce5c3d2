// @ts-check
/** The seats at the table, and invitation links. */
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { nameOf } from "../modules/fight.js";
import { get, post, Refused, remove } from "./api.js";
import { Form } from "./form.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {{table: Table, message: import("./fields.js").Message}} props */
export function Seats({ table, message }) {
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
  const invite = (/** @type {any} */ values) => attempt(async () => {
    const { said } = await post(`${table.at}/seats`, values);
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
    <${Form} table=${table} message=${message} onSubmit=${invite} />
    ${link && html`<p role="status">Send this link; it is shown once: <a class="invitation" href=${link}>${link}</a></p>`}`;
}
