// @ts-check
/** Dice as they fell: the faces that count, and those that were dropped. */
import { html } from "htm/preact";

const SHOWN = 12;

/** @param {{dice: import("./types.js").Dice, isShort?: boolean}} props */
export function DiceRow({ dice, isShort = false }) {
  const faces = isShort ? dice.faces.slice(0, SHOWN) : dice.faces;
  const more = dice.faces.length - faces.length;
  const added = dice.added ? (dice.added > 0 ? ` + ${dice.added}` : ` − ${-dice.added}`) : "";
  const isPlain = dice.faces.length === 1 && !dice.added && dice.faces[0].face === dice.total;
  return html`
    <span class="dice">
      <span class="purpose">${dice.purpose}</span>
      ${!isShort && html`<span class="notation">${dice.notation}</span>`}
      ${faces.map(({ face, kept }) => html`<${Face} face=${face} kept=${kept} />`)}
      ${more > 0 && html`<span class="dim">and ${more} more</span>`}
      ${!isPlain && html`<span class="sum">${added} = ${dice.total}</span>`}
    </span>`;
}

/** @param {{face: number | string, kept: boolean}} props */
function Face({ face, kept }) {
  return kept
    ? html`<span class="face">${face}</span>`
    : html`<s class="face dropped" title="dropped">${face}<span class="sr-only"> dropped</span></s>`;
}
