import { useFormats } from "../formats/use-formats.js";
import styles from "./money.module.css";

interface Props {
  readonly amount: number;
  readonly currency: string;
  /** Without it, where a column or a heading names the currency. */
  readonly showCode?: boolean;
  readonly size?: "body" | "figure";
}

/** The code small and grey before the number, minor units grey, digits of equal width. */
export function Money({ amount, currency, showCode = true, size = "body" }: Props) {
  const { sign, whole, minor } = useFormats().money(amount, currency);
  return (
    <span className={size === "figure" ? `${styles.money} ${styles.figure}` : styles.money}>
      {showCode && <span className={styles.code}>{currency} </span>}
      {sign}
      {whole}
      {minor !== "" && <span className={styles.minor}>{minor}</span>}
    </span>
  );
}
