import type { Budget } from "@budgetkit/client";
import { Lock } from "lucide-react";
import { Section } from "../../../components/page.js";
import table from "../../../components/table.module.css";
import { useWords } from "../../../words/use-words.js";
import { ScrollBox } from "../scroll-box.js";
import { LineRow } from "./line-row.js";
import styles from "./lines.module.css";
import { Totals } from "./totals.js";

/** What is offered, line by line, as the customer has it; beside it what it costs, which the customer never sees. */
export function LinesTab({ budget }: { readonly budget: Budget }) {
  const words = useWords().budget.lines;
  const hasCosts = budget.cost !== undefined;
  return (
    <Section title={words.title}>
      <ScrollBox label={words.title}>
        <table className={`${table.table} ${styles.lines}`}>
          <thead>
            <tr>
              <th scope="col">{words.description}</th>
              <th scope="col" className={table.number}>
                {words.quantity}
              </th>
              <th scope="col" className={table.number}>
                {words.price}
              </th>
              {hasCosts && (
                <th scope="col" className={table.number} title={words.internal}>
                  <Lock size={12} role="img" aria-label={words.internal} /> {words.cost}
                </th>
              )}
              <th scope="col" className={table.number}>
                {words.amount}
              </th>
            </tr>
          </thead>
          <tbody>
            {budget.items.map((line) => (
              <LineRow key={line.id} line={line} budget={budget} hasCosts={hasCosts} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <Totals budget={budget} />
      <FreeText title={words.notes} text={budget.notes} />
      <FreeText title={words.terms} text={budget.terms ?? null} />
    </Section>
  );
}

function FreeText({ title, text }: { readonly title: string; readonly text: string | null }) {
  if (text === null || text === "") return null;
  return (
    <div className={styles.text}>
      <h3>{title}</h3>
      <p dir="auto">{text}</p>
    </div>
  );
}
