import { useSyncExternalStore } from "react";

const query = window.matchMedia("(max-width: 719px)");

/** Whether the screen is as narrow as a phone's, where rows are cards. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}

function subscribe(listener: () => void): () => void {
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** The height of a row, which density and touch change. */
export function rowHeight(isNarrow: boolean): number {
  if (isNarrow) return CARD_HEIGHT;
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row")) || DEFAULT_HEIGHT;
}

const DEFAULT_HEIGHT = 40;
const CARD_HEIGHT = 108;
