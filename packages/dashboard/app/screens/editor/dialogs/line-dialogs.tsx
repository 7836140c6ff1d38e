import type { ComponentType } from "react";
import type { EditedBudget } from "../document/edited-budget.js";
import type { Line } from "../document/line.js";
import type { LineDialogKind } from "../editor-context.js";
import { ChoiceDialog } from "./choice-dialog.js";
import { CostDialog } from "./cost-dialog.js";
import { LineTaxesDialog } from "./line-taxes-dialog.js";
import { RangeDialog } from "./range-dialog.js";
import { RecurringDialog } from "./recurring-dialog.js";
import { TiersDialog } from "./tiers-dialog.js";

export interface LineDialogProps {
  readonly budget: EditedBudget;
  readonly line: Line;
  readonly onClose: () => void;
}

const DIALOGS: Readonly<Record<LineDialogKind, ComponentType<LineDialogProps>>> = {
  range: RangeDialog,
  tiers: TiersDialog,
  recurring: RecurringDialog,
  taxes: LineTaxesDialog,
  cost: CostDialog,
  choice: ChoiceDialog,
};

export function LineDialogs({ kind, ...props }: LineDialogProps & { readonly kind: LineDialogKind }) {
  const Opened = DIALOGS[kind];
  return <Opened {...props} />;
}
