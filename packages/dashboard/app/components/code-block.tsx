import "./mono.css";
import type { ReactNode } from "react";
import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button.js";

interface Props {
  /** For screen readers, and above the code where it is shown. */
  readonly label: string;
  readonly hideLabel?: boolean;
  /** Beside the label. */
  readonly beside?: ReactNode;
  /** What the button copies. Null = it offers no copy. */
  readonly copied: string | null;
  readonly children: ReactNode;
}

/** Code in a box that scrolls by itself, by keyboard too. */
export function CodeBlock({ label, hideLabel = false, beside, copied, children }: Props) {
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <span className={hideLabel ? "visually-hidden" : styles.label}>{label}</span>
        {beside !== undefined && <span className={styles.beside}>{beside}</span>}
        {copied !== null && (
          <span className={styles.copy}>
            <CopyButton text={copied} />
          </span>
        )}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard */}
      <section className={styles.code} tabIndex={0} aria-label={label}>
        <pre>{children}</pre>
      </section>
    </figure>
  );
}
