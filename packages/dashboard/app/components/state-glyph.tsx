import type { ReactNode } from "react";

export type ShownState =
  | "DRAFT"
  | "PENDING"
  | "DEPOSIT_DUE"
  | "APPROVED"
  | "REJECTED"
  | "EXPIRED"
  | "COMPLETED"
  | "ARCHIVED"
  | "DELETED";

/** "Deposit due" is a label of a pending budget with an acceptance; it is no state of its own. */
export function shownStateOf(budget: {
  readonly status: Exclude<ShownState, "DEPOSIT_DUE">;
  readonly acceptance: unknown;
}) {
  return budget.status === "PENDING" && budget.acceptance !== null ? "DEPOSIT_DUE" : budget.status;
}

const cut = { stroke: "var(--surface)", fill: "none" };

const SHAPES: Readonly<Record<ShownState, ReactNode>> = {
  DRAFT: <circle cx="7" cy="7" r="5.25" strokeDasharray="2.4 1.9" />,
  PENDING: (
    <>
      <circle cx="7" cy="7" r="5.25" />
      <path d="M7 4v3.2l2 1.2" />
    </>
  ),
  DEPOSIT_DUE: (
    <>
      <circle cx="7" cy="7" r="5.25" />
      <path d="M7 1.75a5.25 5.25 0 0 1 0 10.5z" fill="currentColor" stroke="none" />
    </>
  ),
  APPROVED: (
    <>
      <circle cx="7" cy="7" r="6" fill="currentColor" stroke="none" />
      <path d="M4.4 7.2l1.8 1.8 3.4-3.8" {...cut} />
    </>
  ),
  REJECTED: (
    <>
      <path d="M4.5 1h5L13 4.5v5L9.5 13h-5L1 9.5v-5z" fill="currentColor" stroke="none" />
      <path d="M5 5l4 4M9 5l-4 4" {...cut} />
    </>
  ),
  EXPIRED: <path d="M3.5 1.5h7M3.5 12.5h7M4.5 1.5v2.2L7 7l2.5-3.3V1.5M4.5 12.5v-2.2L7 7l2.5 3.3v2.2" />,
  COMPLETED: <path d="M1 7.4l2.6 2.8L9 4M6.8 9.6l.6.6L13 4" />,
  ARCHIVED: <path d="M1.5 2.5h11v3h-11zM2.5 5.5v6h9v-6M5.5 8h3" />,
  DELETED: (
    <>
      <circle cx="7" cy="7" r="5.25" strokeDasharray="2.4 1.9" />
      <path d="M3.4 10.6l7.2-7.2" />
    </>
  ),
};

/** The shapes by which states differ without colour. */
export function StateGlyph({ state }: { readonly state: ShownState }) {
  return (
    <svg
      viewBox="0 0 14 14"
      width="14"
      height="14"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {SHAPES[state]}
    </svg>
  );
}
