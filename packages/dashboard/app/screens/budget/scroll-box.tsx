import type { ReactNode } from "react";
import table from "../../components/table.module.css";

interface Props {
  readonly label: string;
  readonly children: ReactNode;
}

/** Around a table that may be wider than a phone: it scrolls by itself, by keyboard too. */
export function ScrollBox({ label, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus the arrow keys cannot scroll it
    <section className={table.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
