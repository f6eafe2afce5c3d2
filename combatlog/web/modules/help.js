// @ts-check
/** The help for keys. */
import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { KEYS } from "./keys.js";

/** @param {{player: import("./player.js").Player, live?: import("./types.js").Live}} props */
export function Help({ player, live }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const isOpen = player.help.value;
  useEffect(() => {
    if (isOpen && !dialog.current?.open) dialog.current?.showModal();
    else if (!isOpen) dialog.current?.close();
  }, [isOpen]);
  return html`
    <dialog ref=${dialog} aria-labelledby="help-title" onClose=${() => { player.help.value = false; }}>
      <h2 id="help-title" tabindex="-1" autofocus>Keys</h2>
      <table>
        <thead><tr><th scope="col">Key</th><th scope="col">Action</th></tr></thead>
        <tbody>${[...(live?.keys ?? []), ...KEYS].map(({ shown, about }) => html`<tr><td><kbd>${shown}</kbd></td><td>${about}</td></tr>`)}</tbody>
      </table>
      <p><label><input type="checkbox" checked=${player.keys} onChange=${(/** @type {any} */ event) => { player.keys.value = event.target.checked; }} /> Use these keys</label></p>
      <p class="dim">Click a token or a name for details, and a line of the log to go there. The address ends with the number of the event: copy it to link to this moment.</p>
      <button type="button" onClick=${() => { player.help.value = false; }}>Close</button>
    </dialog>`;
}
