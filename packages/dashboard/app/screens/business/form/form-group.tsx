import { type ReactNode, useId } from "react";
import styles from "../business.module.css";

interface Props {
  readonly title: string;
  readonly note?: string;
  /** "one": the fields stand below each other. */
  readonly columns?: "one" | "two";
  readonly children: ReactNode;
}

/** A heading at the left and its fields at the right. */
export function FormGroup({ title, note, columns = "two", children }: Props) {
  const id = useId();
  return (
    <section className={styles.group} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {note !== undefined && <p className={styles.note}>{note}</p>}
      </div>
      <div className={columns === "two" ? styles.fields : `${styles.fields} ${styles.one}`}>{children}</div>
    </section>
  );
}
