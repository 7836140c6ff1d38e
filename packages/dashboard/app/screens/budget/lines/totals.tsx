import type { Budget } from "@budgetkit/client";
import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { Money } from "../../../components/money.js";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import styles from "./lines.module.css";
import { useRecurrence } from "./use-recurrence.js";

/** From the subtotal to what is to be paid, with each tax by its name; then what only the team sees. */
export function Totals({ budget }: { readonly budget: Budget }) {
  const words = useWords().budget.lines;
  const formats = useFormats();
  const recurrence = useRecurrence();
  const { currency, taxes } = budget;
  const marginRate = budget.margin === undefined || budget.subtotal === 0 ? null : budget.margin / budget.subtotal;
  const amount = (value: number) => <Money amount={value} currency={currency} showCode={false} />;
  return (
    <div className={styles.sums}>
      <dl className={styles.totals}>
        <Row label={words.subtotal}>{amount(budget.subtotal)}</Row>
        {budget.discount > 0 && <Row label={words.discountTotal}>{amount(-budget.discount)}</Row>}
        {taxes === undefined ? (
          <Row label={budget.taxRate === null ? words.taxAmount : words.tax(formats.percent(budget.taxRate))}>
            {amount(budget.tax)}
          </Row>
        ) : (
          taxes
            .filter(({ kind }) => kind === "tax")
            .map(({ id, name, rate, inclusive, amount: value }) => {
              const label = `${name} ${formats.percent(rate)}`;
              return (
                <Row key={id} label={inclusive ? words.taxContained(label) : label}>
                  {amount(value)}
                </Row>
              );
            })
        )}
        <Row label={words.total} isStrong>
          <Money amount={budget.total} currency={currency} />
        </Row>
        {taxes
          ?.filter(({ kind }) => kind === "withholding")
          .map(({ id, name, rate, amount: value }) => (
            <Row key={id} label={words.withheld(`${name} ${formats.percent(rate)}`)}>
              {amount(-value)}
            </Row>
          ))}
        {budget.payable !== undefined && (
          <Row label={words.payable} isStrong>
            <Money amount={budget.payable} currency={currency} />
          </Row>
        )}
        {budget.minimumPaymentToConfirm !== undefined && (
          <Row label={words.deposit}>{amount(budget.minimumPaymentToConfirm)}</Row>
        )}
        {budget.recurring?.map((recurring) => (
          <Row
            key={`${recurring.interval} ${recurring.intervalCount} ${recurring.cycles}`}
            label={recurrence(recurring)}
          >
            {amount(recurring.total)}
          </Row>
        ))}
      </dl>
      {budget.cost !== undefined && (
        <section className={styles.costs} aria-label={words.internal}>
          <p>
            <Lock size={13} aria-hidden="true" /> {words.internal}
          </p>
          <dl className={styles.totals}>
            <Row label={words.cost}>{amount(budget.cost)}</Row>
            {budget.margin !== undefined && (
              <Row label={marginRate === null ? words.margin : `${words.margin}, ${formats.percent(marginRate)}`}>
                {amount(budget.margin)}
              </Row>
            )}
          </dl>
        </section>
      )}
    </div>
  );
}

interface RowProps {
  readonly label: string;
  readonly isStrong?: boolean;
  readonly children: ReactNode;
}

function Row({ label, isStrong = false, children }: RowProps) {
  return (
    <div className={isStrong ? styles.strongRow : styles.row}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
