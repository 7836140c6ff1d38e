import type { EditorState } from "./editor-state.js";

let handed: EditorState | null = null;

/** A budget that was just created goes on at its own address, with its undo steps. */
export function handOver(state: EditorState): void {
  handed = state;
}

/** The state that was handed over for this budget; null = none was. */
export function handedOver(budgetId: string): EditorState | null {
  return handed?.saved.id === budgetId ? handed : null;
}

export function forgetHandedOver(): void {
  handed = null;
}
