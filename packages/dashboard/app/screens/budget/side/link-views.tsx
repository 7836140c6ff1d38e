import type { Budget } from "@budgetkit/client";

/** How often the link was opened, and when last. */
export function LinkViews(_props: { readonly budget: Budget }) {
  return null;
}
