import { Lock } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Money } from "../../../components/money.js";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import type { PricedBudget } from "../document/figures.js";
import styles from "./totals-bar.module.css";

interface Props {
  readonly figures: PricedBudget["figures"];
  readonly currency: string;
}

/** What the budget comes to, computed here while somebody types. */
export function TotalsBar({ figures, currency }: Props) {
  const words = useWords().editor;
  const formats = useFormats();
  const bar = useRef<HTMLElement>(null);
  const total = figures?.total ?? null;
  useTint(bar, total);
  if (figures === null) {
    return (
      <footer className={styles.bar} ref={bar}>
        <p className={styles.none}>{words.noFigures}</p>
      </footer>
    );
  }
  const { subtotal, discount, tax, taxes, recurring = [], margin, withheld, payable } = figures;
  const net = subtotal - discount;
  const amount = (value: number) => <Money amount={value} currency={currency} showCode={false} />;
  return (
    <footer className={styles.bar} ref={bar}>
      <dl className={styles.figures}>
        <Part label={words.withoutTaxes}>{amount(net)}</Part>
        {taxes === undefined
          ? tax !== 0 && <Part label={words.taxName}>{amount(tax)}</Part>
          : taxes.map((each) => (
              <Part key={each.id} label={labelOf(each.name ?? each.id, formats.percent(each.rate))}>
                {amount(each.kind === "withholding" ? -each.amount : each.amount)}
              </Part>
            ))}
        {recurring.map(({ interval, intervalCount = 1, cycles, total: each }) => (
          <Part
            key={`${interval} ${intervalCount} ${cycles}`}
            label={words.later(words.every(interval, intervalCount))}
          >
            {amount(each)}
          </Part>
        ))}
        {withheld !== undefined && payable !== undefined && <Part label={words.payable}>{amount(payable)}</Part>}
        {margin !== undefined && (
          <Part
            label={
              <>
                <Lock size={12} aria-hidden="true" /> {words.margin}
              </>
            }
          >
            {amount(margin)} {net > 0 && <span className={styles.quiet}>{formats.percent(margin / net)}</span>}
          </Part>
        )}
      </dl>
      <p className={styles.total}>
        <span className={styles.label}>{words.total}</span>
        <output className={styles.sum}>
          <Money amount={figures.total} currency={currency} size="figure" />
        </output>
      </p>
    </footer>
  );
}

/** Many names contain the rate already, such as "IVA 21%". */
function labelOf(name: string, rate: string): string {
  return name.replace(/\s/g, "").includes(rate.replace(/\s/g, "")) ? name : `${name} ${rate}`;
}

function Part({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={styles.part}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const TINT_MS = 400;

/** Tints the total for a moment when it changed. */
function useTint(bar: RefObject<HTMLElement | null>, total: number | null): void {
  const former = useRef(total);
  useEffect(() => {
    const isChanged = former.current !== null && total !== null && former.current !== total;
    former.current = total;
    if (!isChanged) return;
    const element = bar.current;
    element?.toggleAttribute("data-changed", true);
    const timer = window.setTimeout(() => element?.removeAttribute("data-changed"), TINT_MS);
    return () => window.clearTimeout(timer);
  }, [bar, total]);
}
