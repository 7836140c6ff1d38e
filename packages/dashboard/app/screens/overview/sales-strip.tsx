import type { Sales } from "@budgetkit/client";
import { Link } from "@tanstack/react-router";
import { ArrowDownRight, ArrowUpRight } from "lucide-react";
import { Money } from "../../components/money.js";
import { Figure, Strip } from "../../components/page.js";
import { StateGlyph } from "../../components/state-glyph.js";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import { countOf, inOrder } from "./currencies.js";
import styles from "./overview.module.css";

interface Props {
  readonly sales: Sales;
  readonly currencies: readonly string[];
  readonly weeks: number;
}

/** What is waiting, what was won, how often, and what is to be collected. */
export function SalesStrip({ sales, currencies, weeks }: Props) {
  const words = useWords().overview;
  const formats = useFormats();
  const { conversion, depositsDue } = sales;
  return (
    <Strip>
      <Figure
        label={
          <>
            <StateGlyph state="PENDING" /> {words.waiting}
          </>
        }
        note={<OtherSums sums={sales.waiting} currencies={currencies} />}
      >
        <MainSum sums={sales.waiting} currencies={currencies} />
      </Figure>
      <Figure
        label={
          <>
            <StateGlyph state="APPROVED" /> {words.won(weeks)}
          </>
        }
        note={<OtherSums sums={sales.won} currencies={currencies} />}
      >
        <MainSum sums={sales.won} currencies={currencies} />
      </Figure>
      <Figure
        label={words.conversion}
        note={
          <span className={styles.notes}>
            <Change now={conversion.rate} before={conversion.previousRate} />
            <span>{words.answered(formats.number(conversion.won), formats.number(conversion.answered))}</span>
          </span>
        }
      >
        {conversion.rate === null ? "—" : formats.percent(conversion.rate)}
      </Figure>
      <Figure
        label={words.toCollect}
        note={
          <span className={styles.notes}>
            {depositsDue > 0 && (
              <Link to="/budgets" search={{ status: "PENDING" }} className={styles.due}>
                {words.depositsDue(depositsDue)}
              </Link>
            )}
            <OtherSums sums={sales.toCollect} currencies={currencies} />
          </span>
        }
      >
        <MainSum sums={sales.toCollect} currencies={currencies} />
      </Figure>
    </Strip>
  );
}

interface SumsProps {
  readonly sums: Sales["won"];
  readonly currencies: readonly string[];
}

function MainSum({ sums, currencies }: SumsProps) {
  const [main] = inOrder(sums, currencies);
  return main === undefined ? "—" : <Money amount={main.value} currency={main.currency} size="figure" />;
}

/** The other currencies, and how many budgets it is in all. */
function OtherSums({ sums, currencies }: SumsProps) {
  const words = useWords().overview;
  const [, ...others] = inOrder(sums, currencies);
  return (
    <span className={styles.notes}>
      {others.map(({ currency, value }) => (
        <Money key={currency} amount={value} currency={currency} />
      ))}
      <span>{words.budgets(countOf(sums))}</span>
    </span>
  );
}

function Change({ now, before }: { readonly now: number | null; readonly before: number | null }) {
  const words = useWords().overview;
  const formats = useFormats();
  if (now === null || before === null) return null;
  const points = Math.round((now - before) * 1_000) / 10;
  if (points === 0) return <span>{words.asBefore}</span>;
  const Arrow = points > 0 ? ArrowUpRight : ArrowDownRight;
  return (
    <span className={points > 0 ? styles.up : styles.down}>
      <Arrow size={13} aria-hidden="true" />
      {points > 0 ? words.up(formats.number(points)) : words.down(formats.number(-points))}
    </span>
  );
}
