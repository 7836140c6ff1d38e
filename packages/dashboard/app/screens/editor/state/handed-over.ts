import type { EditorState } from "./editor-state.js";

interface HandedOver {
  readonly state: EditorState;
  /** It was created in order to be sent: the dialog of sending opens there. */
  readonly isSending: boolean;
}

let handed: HandedOver | null = null;

/** A budget that was just created goes on at its own address, with its undo steps. */
export function handOver(state: EditorState, isSending: boolean): void {
  handed = { state, isSending };
}

/** What was handed over for this budget; null = nothing was. */
export function handedOver(budgetId: string): HandedOver | null {
  return handed?.state.saved.id === budgetId ? handed : null;
}

export function forgetHandedOver(): void {
  handed = null;
}
