import { useEffect } from "react";

/**
 * Calls the action when the key is pressed outside of fields, menus and dialogs: "n", "/", "mod+k" (Control, or Command
 * on a Mac). Shortcuts with "mod" work in fields, and in the dialog that has the focus. Null = nothing to do.
 */
export function useShortcut(shortcut: string, action: (() => void) | null): void {
  useEffect(() => {
    if (action === null) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !matches(event, shortcut)) return;
      const isPlain = !shortcut.startsWith("mod+");
      if (isPlain && isTyping(event.target)) return;
      if (document.querySelector("dialog[open]") !== null && (isPlain || !isInDialog(event.target))) return;
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

/** A box or a radio takes no letters; a menu does, to find its items. */
const TYPING = "input:not([type=checkbox], [type=radio]), textarea, select, [role=menu], [role=menu] *";

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TYPING));
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("dialog") !== null;
}
