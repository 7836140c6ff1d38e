import { useState, useSyncExternalStore } from "react";

const WIDE = "(min-width: 1100px)";

/** Whether the page is shown beside the editor: where there is room, unless somebody says otherwise. */
export function useWide(): readonly [boolean, () => void] {
  const isWide = useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
  const [chosen, setChosen] = useState<{ readonly isWide: boolean; readonly isShown: boolean } | null>(null);
  const isShown = chosen !== null && chosen.isWide === isWide ? chosen.isShown : isWide;
  return [isShown, () => setChosen({ isWide, isShown: !isShown })];
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}
