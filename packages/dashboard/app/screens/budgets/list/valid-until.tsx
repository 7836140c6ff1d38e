import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import type { BudgetSummary } from "./budget-summary.js";
import styles from "./list.module.css";

const SOON_DAYS = 3;

interface Props {
  readonly budget: Pick<BudgetSummary, "status" | "validUntil">;
  readonly nowMs: number;
}

/** The date; of an offer that waits also how soon it ends. */
export function ValidUntil({ budget: { status, validUntil }, nowMs }: Props) {
  const words = useWords().common;
  const formats = useFormats();
  if (validUntil === null) return <>{words.none}</>;
  const days = formats.daysUntil(validUntil, nowMs);
  const isOpen = status === "PENDING" && days >= 0;
  return (
    <>
      <span className={isOpen ? "" : styles.over}>{formats.date(validUntil)}</span>
      {isOpen && <span className={toneOf(days)}> {formats.until(validUntil, nowMs)}</span>}
    </>
  );
}

/** The tone by which an end that comes soon is seen. */
export function toneOf(days: number): string {
  const tone = days <= 0 ? styles.today : days <= SOON_DAYS ? styles.soon : styles.later;
  return tone ?? "";
}
