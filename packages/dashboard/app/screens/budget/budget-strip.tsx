import type { Budget } from "@budgetkit/client";
import { Money } from "../../components/money.js";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import styles from "./budget.module.css";
import { balanceOf, payableOf, progressOf } from "./figures.js";

/** What it is worth, what is paid and what is open, with a bar on which the deposit has a tick. */
export function BudgetStrip({ budget }: { readonly budget: Budget }) {
  const words = useWords().budget;
  const formats = useFormats();
  const { currency, deposit, dueToConfirm = 0, minimumPaymentToConfirm = 0 } = budget;
  const progress = progressOf(budget);
  const taxNames = budget.taxes?.filter(({ kind }) => kind === "tax").map(({ name }) => name) ?? [];
  const total = taxNames.length === 0 ? words.total : words.totalWithTax(taxNames.join(", "));
  const open = balanceOf(budget);
  const hasBar = budget.status !== "DRAFT" || minimumPaymentToConfirm > 0;
  const depositName =
    deposit?.rate === undefined
      ? words.depositAmount(formats.moneyText(minimumPaymentToConfirm, currency))
      : words.depositRate(formats.percent(deposit.rate));
  const isDepositPaid = budget.paid >= minimumPaymentToConfirm;
  return (
    <div className={styles.strip}>
      <dl className={styles.figures}>
        <Figure label={total} amount={payableOf(budget)} currency={currency} />
        <Figure label={words.paid} amount={budget.paid} currency={currency} />
        <Figure label={words.balance} amount={open} currency={currency} />
      </dl>
      {hasBar && (
        <div className={styles.progress}>
          <div
            className={styles.bar}
            role="img"
            aria-label={`${words.bar(formats.percent(progress.paid))}${progress.deposit === null ? "" : `, ${depositName}`}`}
          >
            <span className={styles.filled} style={{ inlineSize: `${progress.paid * 100}%` }} />
            {progress.deposit !== null && (
              <span className={styles.tick} style={{ insetInlineStart: `${progress.deposit * 100}%` }} />
            )}
          </div>
          <p className={styles.legend}>
            <span>
              {minimumPaymentToConfirm > 0 && (
                <>
                  <strong>{depositName}</strong>,{" "}
                  {isDepositPaid
                    ? words.depositPaid
                    : words.depositDue(
                        formats.moneyText(dueToConfirm || minimumPaymentToConfirm - budget.paid, currency),
                      )}
                </>
              )}
            </span>
            <span>{open === 0 ? words.allPaid : minimumPaymentToConfirm > 0 ? words.restDue : ""}</span>
          </p>
        </div>
      )}
    </div>
  );
}

interface FigureProps {
  readonly label: string;
  readonly amount: number;
  readonly currency: string;
}

function Figure({ label, amount, currency }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd>
        <Money amount={amount} currency={currency} size="figure" />
      </dd>
    </div>
  );
}
