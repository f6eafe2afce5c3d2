// @ts-check
/** Light and dark: the system's choice, until the user chooses. */

const KEY = "combatlog-theme";

export function applyTheme() {
  const chosen = remembered();
  if (chosen) document.documentElement.dataset.theme = chosen;
}

export function toggleTheme() {
  const next = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  remember(next);
}

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** A page in a sandbox may not remember anything. */
function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param {string} theme */
function remember(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    document.documentElement.dataset.theme = theme;
  }
}
