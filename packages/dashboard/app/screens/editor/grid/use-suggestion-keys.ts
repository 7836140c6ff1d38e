import { type KeyboardEvent, useEffect, useState } from "react";
import type { Suggestion } from "./suggestions.js";

interface Keys {
  readonly active: number;
  /** Moves and picks; true = the key was for the list. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
}

/** Arrow keys move through suggestions, Enter and Tab pick the active one, Escape closes the list. */
export function useSuggestionKeys(options: readonly Suggestion[] | null, first: number, close: () => void): Keys {
  const [active, setActive] = useState(first);
  const count = options?.length ?? 0;
  const shown = options?.map(({ id }) => id).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: other options begin at the first again
  useEffect(() => setActive(first), [first, shown]);
  const index = active < count ? active : first < count ? first : -1;
  return {
    active: index,
    onKeyDown: (event) => {
      if (options === null || event.nativeEvent.isComposing) return false;
      if (event.key === "Escape") close();
      else if (event.key === "ArrowDown" && !event.altKey && count > 0) setActive((index + 1) % count);
      else if (event.key === "ArrowUp" && !event.altKey && index > -1)
        setActive(index - 1 < first ? (first === -1 ? -1 : count - 1) : index - 1);
      else if (event.key === "Enter" && index > -1) options[index]?.pick();
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}
