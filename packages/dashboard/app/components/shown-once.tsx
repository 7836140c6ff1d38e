import "./mono.css";
import { TriangleAlert } from "lucide-react";
import { CopyButton } from "./copy-button.js";
import styles from "./shown-once.module.css";

interface Props {
  readonly label: string;
  readonly secret: string;
  /** Why it must be copied now; null = it can be read again. */
  readonly warning: string | null;
}

/** A secret that the service shows once. It lives in the state of what shows it, and nowhere else. */
export function ShownOnce({ label, secret, warning }: Props) {
  return (
    <div className={styles.box}>
      {warning !== null && (
        <p className={styles.warning}>
          <TriangleAlert size={16} aria-hidden="true" />
          {warning}
        </p>
      )}
      <p className={styles.label}>{label}</p>
      <div className={styles.line}>
        <code data-secret="">{secret}</code>
        <CopyButton text={secret} />
      </div>
    </div>
  );
}
