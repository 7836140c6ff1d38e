import type { BudgetEntry } from "@budgetkit/client";
import type { LucideIcon } from "lucide-react";

/** One thing that the palette offers. */
export interface PaletteItem {
  readonly id: string; // unique among all that is shown
  readonly label: string;
  readonly detail?: string;
  readonly icon?: LucideIcon;
  readonly shortcut?: string;
  /** A found budget: it is shown with its state and total, and has actions. */
  readonly budget?: BudgetEntry;
  readonly onSelect: () => void;
  /** It shows something in place: the palette stays open. */
  readonly staysOpen?: true;
}

export interface PaletteGroup {
  readonly name: string;
  readonly items: readonly PaletteItem[];
}
