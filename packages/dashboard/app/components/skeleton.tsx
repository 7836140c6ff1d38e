import { useEffect, useState } from "react";
import { useWords } from "../words/use-words.js";
import styles from "./skeleton.module.css";

const PATIENCE_MS = 200;

/** Grey bars of the size of what comes, for what takes longer than a moment. */
export function SkeletonRows({ rows = 8 }: { readonly rows?: number }) {
  const [isShown, setShown] = useState(false);
  const words = useWords().common;
  useEffect(() => {
    const timer = window.setTimeout(() => setShown(true), PATIENCE_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <div role="status" className={styles.rows}>
      <span className="visually-hidden">{words.loading}</span>
      {isShown &&
        Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no identity
          <div key={row} className={styles.row} aria-hidden="true">
            <span style={{ width: "12%" }} />
            <span style={{ width: "32%" }} />
            <span style={{ width: "14%" }} />
          </div>
        ))}
    </div>
  );
}
