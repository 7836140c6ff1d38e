export type Theme = "light" | "dark" | "system";
export type Density = "comfortable" | "compact";

const THEME = "budgetkit theme";
const DENSITY = "budgetkit density";

export function readTheme(): Theme {
  const kept = localStorage.getItem(THEME);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function keepTheme(theme: Theme): void {
  localStorage.setItem(THEME, theme);
  applyTheme();
}

export function readDensity(): Density {
  return localStorage.getItem(DENSITY) === "compact" ? "compact" : "comfortable";
}

export function keepDensity(density: Density): void {
  localStorage.setItem(DENSITY, density);
  applyTheme();
}

/** The style sheets read both from the document; without a theme they follow the system. */
export function applyTheme(): void {
  const { dataset } = document.documentElement;
  const theme = readTheme();
  if (theme === "system") delete dataset.theme;
  else dataset.theme = theme;
  dataset.density = readDensity();
}
