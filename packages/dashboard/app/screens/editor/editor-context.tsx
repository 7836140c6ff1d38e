import { createContext, useContext } from "react";
import type { Formats } from "../../formats/formats.js";
import type { DecimalMark } from "./document/decimals.js";
import type { EditedTax } from "./document/edited-budget.js";
import type { Change } from "./state/use-editor-state.js";

export type Column = "description" | "quantity" | "unitPrice" | "discount" | "taxes";

/** What is opened of a line in a dialog. */
export type LineDialogKind = "range" | "tiers" | "recurring" | "taxes" | "cost" | "choice";

/** What every cell needs. It changes seldom: rows are drawn again only where their line changed. */
export interface EditorTools {
  readonly change: Change;
  readonly closeStep: () => void;
  readonly formats: Formats;
  readonly mark: DecimalMark;
  readonly currency: string;
  readonly minorDigits: number;
  /** The taxes of the business, which lines may have. */
  readonly knownTaxes: readonly EditedTax[];
  /** Moves the focus to a cell, once it is there. */
  readonly focusCell: (line: string, column: Column) => void;
  readonly openDialog: (line: string, kind: LineDialogKind) => void;
  /** What screen readers read out. */
  readonly announce: (text: string) => void;
}

const EditorContext = createContext<EditorTools | null>(null);

export const EditorToolsProvider = EditorContext;

export function useEditorTools(): EditorTools {
  const tools = useContext(EditorContext);
  if (tools === null) throw new Error("useEditorTools is for what the editor shows");
  return tools;
}
