import type { Budget } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { StateChip } from "../../../components/chip.js";
import { Money } from "../../../components/money.js";
import { shownStateOf } from "../../../components/state-glyph.js";
import { customerBudgetsQuery } from "../../../queries/budget.js";
import { useMay } from "../../../session/use-session.js";
import { useWords } from "../../../words/use-words.js";
import styles from "./side.module.css";

const SHOWN = 4;

/** How to reach the customer, and what else was offered to them. */
export function CustomerCard({ budget }: { readonly budget: Budget }) {
  const { budget: all } = useWords();
  const words = all.side;
  const { customer, customerId } = budget;
  const { data } = useQuery(customerBudgetsQuery(customerId));
  const mayOpen = useMay()("READ_CUSTOMERS") && customer.name !== null;
  const further = data?.data.filter(({ id }) => id !== budget.id).slice(0, SHOWN) ?? [];
  return (
    <section className={styles.part} aria-label={words.customer}>
      <div className={styles.head}>
        <h2>{words.customer}</h2>
        {data !== undefined && <span className={styles.quiet}>{words.budgetsCount(data.pagination.total)}</span>}
      </div>
      <div className={styles.contact}>
        {mayOpen ? (
          <Link to="/customers/$customerId" params={{ customerId }} dir="auto">
            {customer.name}
          </Link>
        ) : (
          <span dir="auto">{customer.name ?? words.customerMissing}</span>
        )}
        {customer.email !== null && <a href={`mailto:${encodeURIComponent(customer.email)}`}>{customer.email}</a>}
        {customer.phone != null && <a href={`tel:${customer.phone.replace(/[^+\d]/g, "")}`}>{customer.phone}</a>}
      </div>
      {further.length > 0 && (
        <>
          <h3>{words.further}</h3>
          <ul className={styles.further}>
            {further.map((other) => (
              <li key={other.id}>
                <Link to="/budgets/$budgetId" params={{ budgetId: other.id }} search={{}}>
                  {other.number ?? other.id}
                </Link>
                <StateChip state={shownStateOf(other)} />
                <Money amount={other.total} currency={other.currency} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
