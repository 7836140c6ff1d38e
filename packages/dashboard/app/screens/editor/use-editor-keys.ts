import { useEffect } from "react";

interface Actions {
  readonly undo: () => void;
  readonly redo: () => void;
  readonly save: () => void;
  readonly send: () => void;
}

/** Keys of the whole editor. Undo is that of the budget, not that of a single field. */
export function useEditorKeys(actions: Actions): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.altKey || event.defaultPrevented) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const action = actionOf(event, actions);
      if (action === null) return;
      event.preventDefault();
      action();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [actions]);
}

function actionOf({ key, shiftKey }: KeyboardEvent, { undo, redo, save, send }: Actions): (() => void) | null {
  switch (key.toLowerCase()) {
    case "z":
      return shiftKey ? redo : undo;
    case "y":
      return redo;
    case "s":
      return shiftKey ? null : save;
    case "enter":
      return send;
    default:
      return null;
  }
}
