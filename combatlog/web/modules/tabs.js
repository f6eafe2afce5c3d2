// @ts-check
/** Panels, one of which is shown. */
import { html } from "htm/preact";

/** @typedef {{id: string, title: string, panel: () => any}} Tab */

/** @param {{tabs: Tab[], current: string, onChoose: (id: string) => void}} props */
export function Tabs({ tabs, current, onChoose }) {
  const shown = tabs.find((tab) => tab.id === current) ?? tabs[0];
  const walk = (/** @type {KeyboardEvent} */ event) => {
    const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!way) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(shown) + way + tabs.length) % tabs.length];
    onChoose(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return html`
    <div class="tabs" role="tablist" aria-label="Panels" onKeyDown=${walk}>
      ${tabs.map((tab) => html`
        <button type="button" role="tab" key=${tab.id} id=${`tab-${tab.id}`} aria-selected=${tab === shown ? "true" : "false"} aria-controls="panel"
          tabindex=${tab === shown ? 0 : -1} onClick=${() => onChoose(tab.id)}>${tab.title}</button>`)}
    </div>
    <div class="panel" id="panel" role="tabpanel" aria-labelledby=${`tab-${shown.id}`} key=${shown.id}>${shown.panel()}</div>`;
}
