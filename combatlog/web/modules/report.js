// @ts-check
/** The fight in numbers, as its report has them. */
import { html } from "htm/preact";

/** @typedef {{title: string, columns: string[], rows: any[][], notes: string[], nothing: string}} Section */

/** @param {{player: import("./player.js").Player}} props */
export function Report({ player }) {
  const { report } = player.fight;
  return html`
    <div class="report" data-scrolls tabindex="0" role="region" aria-label="Numbers">
      ${report.lead.map((/** @type {string} */ line) => html`<p>${line}</p>`)}
      <${ReportSections} sections=${report.sections} />
    </div>`;
}

/** @param {{sections: Section[]}} props */
export function ReportSections({ sections }) {
  return html`${sections.map(({ title, columns, rows, notes, nothing }) => html`
    <section>
      <h3>${title}</h3>
      ${rows.length === 0 ? html`<p>${nothing}</p>` : html`
        <div class="scrolls-sideways" tabindex="0" role="region" aria-label=${`${title}, table`}><table>
          <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
          <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td class=${typeof cell === "number" ? "number" : ""}><${Cell} cell=${cell} /></td>`)}</tr>`)}</tbody>
        </table></div>`}
      ${notes.map((note) => html`<p class="dim">${note}</p>`)}
    </section>`)}`;
}

/** @param {{cell: any}} props */
function Cell({ cell }) {
  return Array.isArray(cell) ? html`${cell.map((line) => html`<div>${line}</div>`)}` : html`${cell}`;
}
