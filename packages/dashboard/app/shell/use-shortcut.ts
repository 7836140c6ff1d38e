import { useEffect } from "react";

/**
 * Calls the action when the key is pressed outside of fields and dialogs: "n", "/", "mod+k" (Control, or Command on a
 * Mac). Shortcuts with "mod" work in fields too. Null = nothing to do.
 */
export function useShortcut(shortcut: string, action: (() => void) | null): void {
  useEffect(() => {
    if (action === null) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !matches(event, shortcut)) return;
      if (!shortcut.startsWith("mod+") && isTyping(event.target)) return;
      if (document.querySelector("dialog[open]") !== null && !isInDialog(event.target)) return;
      event.preventDefault();
      action();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [shortcut, action]);
}

function matches(event: KeyboardEvent, shortcut: string): boolean {
  const needsMod = shortcut.startsWith("mod+");
  const key = needsMod ? shortcut.slice("mod+".length) : shortcut;
  const hasMod = event.metaKey || event.ctrlKey;
  return hasMod === needsMod && !event.altKey && event.key.toLowerCase() === key.toLowerCase();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("dialog") !== null;
}
