/** What became of a line. */
export type Outcome =
  | { readonly kind: "created" }
  | { readonly kind: "skipped" } // it is there already, as the line has it
  | { readonly kind: "conflict"; readonly why: string } // something else is there in its place
  | { readonly kind: "refused"; readonly why: string } // the service does not take it
  | { readonly kind: "left-out" }; // not of a kind that is imported

export const CREATED: Outcome = { kind: "created" };
export const SKIPPED: Outcome = { kind: "skipped" };
export const LEFT_OUT: Outcome = { kind: "left-out" };
