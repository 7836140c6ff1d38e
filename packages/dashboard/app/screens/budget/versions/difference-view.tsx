import type { Revision, RevisionDifference } from "@budgetkit/client";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import { type DifferenceRow, type PriceChange, readableDifference, type ValueChange } from "./readable-difference.js";
import { useValueText } from "./use-value-text.js";
import styles from "./versions.module.css";

interface Props {
  readonly difference: RevisionDifference;
  /** The newer version: its lines have the names. */
  readonly present: Pick<Revision, "items" | "currency">;
}

/** What changed between two versions: lines and fields with their old and new values, then the sums. */
export function DifferenceView({ difference, present }: Props) {
  const words = useWords().budget.versions;
  const { rows, sums } = readableDifference(difference.changes, present.items);
  const signed = useSigned(present.currency);
  if (rows.length === 0 && sums.length === 0) return <p>{words.same}</p>;
  return (
    <div className={styles.difference}>
      <ul className={styles.rows}>
        {rows.map((row, index) => (
          <Row key={"id" in row ? row.id : `${row.kind} ${index}`} row={row} currency={present.currency} />
        ))}
      </ul>
      {sums.length > 0 && (
        <dl className={styles.sums}>
          {sums.map(({ field, name, delta }) => (
            <div key={`${field} ${name}`} className={field === "total" ? styles.total : ""}>
              <dt>{name ?? words.fields[field] ?? field}</dt>
              <dd>{signed(delta)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** Without the currency, which the heading of the screen names. */
function useAmount(currency: string): (amount: number) => string {
  const formats = useFormats();
  return (amount) => {
    const { sign, whole, minor } = formats.money(amount, currency);
    return `${sign === "" ? "" : "−"}${whole}${minor}`;
  };
}

function useSigned(currency: string): (amount: number) => string {
  const text = useAmount(currency);
  return (amount) => `${amount > 0 ? "+" : ""}${text(amount)}`;
}

const SIGNS = { added: "+", removed: "−", changed: "~", field: "~", reordered: "↕" } as const;
const LABELS = {
  added: "added",
  removed: "removed",
  changed: "changedLine",
  field: "changedLine",
  reordered: "changedLine",
} as const;

function Row({ row, currency }: { readonly row: DifferenceRow; readonly currency: string }) {
  const words = useWords().budget.versions;
  const formats = useFormats();
  const signed = useSigned(currency);
  const delta = "delta" in row ? row.delta : null;
  const amount = useAmount(currency);
  return (
    <li className={styles.change}>
      <span className={`${styles.sign} ${styles[row.kind]}`} title={words[LABELS[row.kind]]}>
        <span aria-hidden="true">{SIGNS[row.kind]}</span>
        <span className="visually-hidden">{words[LABELS[row.kind]]}</span>
      </span>
      <div>
        {(row.kind === "added" || row.kind === "removed") && (
          <>
            <strong dir="auto">{row.name}</strong>
            {row.quantity !== null && (
              <p className={styles.values}>
                {formats.number(row.quantity)} × {amount(row.unitPrice)}
              </p>
            )}
          </>
        )}
        {row.kind === "changed" && (
          <>
            {row.formerName !== null && (
              <>
                <del dir="auto">{row.formerName}</del> →{" "}
              </>
            )}
            <strong dir="auto">{row.name}</strong>
            {row.price !== null && <Price price={row.price} currency={currency} />}
            {row.changes.map((change) => (
              <Change key={change.field} change={change} currency={currency} />
            ))}
          </>
        )}
        {row.kind === "field" && <Change change={row.change} currency={currency} />}
        {row.kind === "reordered" && <span>{words.reordered}</span>}
      </div>
      {delta !== null && delta !== 0 && <span className={styles.delta}>{signed(delta)}</span>}
    </li>
  );
}

/** `3 × 84,000.00 → 112,500.00` */
function Price({ price, currency }: { readonly price: PriceChange; readonly currency: string }) {
  const formats = useFormats();
  const amount = useAmount(currency);
  const { quantity, unitPrice } = price;
  return (
    <p className={styles.values}>
      {quantity.before !== quantity.after && (
        <>
          <del>{formats.number(quantity.before)}</del> →{" "}
        </>
      )}
      {formats.number(quantity.after)} ×{" "}
      {unitPrice.before !== unitPrice.after && (
        <>
          <del>{amount(unitPrice.before)}</del> →{" "}
        </>
      )}
      {amount(unitPrice.after)}
    </p>
  );
}

function Change({ change, currency }: { readonly change: ValueChange; readonly currency: string }) {
  const words = useWords().budget.versions;
  const textOf = useValueText(currency);
  const { field, before, after } = change;
  return (
    <p className={styles.values}>
      {words.fields[field] ?? field} <del dir="auto">{textOf(field, before)}</del> →{" "}
      <ins dir="auto">{textOf(field, after)}</ins>
    </p>
  );
}
