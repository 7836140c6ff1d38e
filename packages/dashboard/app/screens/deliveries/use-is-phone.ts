import { useSyncExternalStore } from "react";

const query = window.matchMedia("(max-width: 719px)");

/** Whether the window has room for one column alone. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      query.addEventListener("change", onChange);
      return () => query.removeEventListener("change", onChange);
    },
    () => query.matches,
  );
}
