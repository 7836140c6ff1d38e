import { useSyncExternalStore } from "react";

/** The form and what it makes stand beside each other from this width on. */
const query = window.matchMedia("(min-width: 1100px)");

export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}

function subscribe(listener: () => void): () => void {
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}
