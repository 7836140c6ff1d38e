import type {
  BudgetView,
  CustomerView,
  EventView,
  FlattenedJws,
  MessageView,
  PackageView,
  PaymentView,
  ProductView,
} from "@budgetkit/core";

/** The exportable kinds, in the order in which an import needs them. */
export const EXPORT_KINDS = [
  "customers",
  "products",
  "packages",
  "budgets",
  "payments",
  "messages",
  "evidence",
  "events",
] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** A line of an export: its kind and the public view. The first line describes the export itself. */
export type ExportLine =
  | { readonly type: "export"; readonly data: ExportHeader }
  | { readonly type: "customer"; readonly data: CustomerView }
  | { readonly type: "product"; readonly data: ProductView }
  | { readonly type: "package"; readonly data: PackageView }
  | { readonly type: "budget"; readonly data: BudgetView }
  | { readonly type: "payment"; readonly data: PaymentView }
  | { readonly type: "message"; readonly data: MessageView }
  | { readonly type: "evidence"; readonly data: ExportedEvidence }
  | { readonly type: "event"; readonly data: EventView };

/** The evidence of an acceptance, as it was signed. */
export interface ExportedEvidence {
  readonly budgetId: string;
  readonly evidence: FlattenedJws;
}

export interface ExportHeader {
  readonly format: 1;
  readonly businessId: string;
  readonly businessName: string;
}
