import type { Budget } from "@budgetkit/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Banknote } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/button.js";
import { Money } from "../../../components/money.js";
import { EmptyState } from "../../../components/notices.js";
import { Section } from "../../../components/page.js";
import table from "../../../components/table.module.css";
import { useFormats } from "../../../formats/use-formats.js";
import { budgetPaymentsQuery } from "../../../queries/budget.js";
import { useWords } from "../../../words/use-words.js";
import { possibleActions } from "../actions/action-plan.js";
import { PaymentDialog } from "../actions/payment-dialog.js";
import { loadedOf } from "../loaded-pages.js";
import { ScrollBox } from "../scroll-box.js";
import { TabState } from "../tab-state.js";
import { useActorName } from "../use-actor-name.js";

export function PaymentsTab({ budget }: { readonly budget: Budget }) {
  const { budget: all } = useWords();
  const words = all.payments;
  const formats = useFormats();
  const nameOf = useActorName();
  const [isOpen, setOpen] = useState(false);
  const query = useInfiniteQuery(budgetPaymentsQuery(budget.id));
  const { entries } = loadedOf(query);
  const record = possibleActions(budget).has("recordPayment") ? (
    <Button icon={Banknote} onClick={() => setOpen(true)}>
      {all.actions.names.recordPayment}
    </Button>
  ) : null;
  const isDraft = budget.status === "DRAFT";
  return (
    <Section title={words.title} actions={entries.length > 0 ? record : null}>
      <TabState query={query} what={words.what}>
        {entries.length === 0 ? (
          <EmptyState
            icon={Banknote}
            title={isDraft ? words.draft : words.empty}
            text={isDraft ? words.draftText : words.emptyText}
            action={record}
          />
        ) : (
          <ScrollBox label={words.title}>
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col">{words.reference}</th>
                  <th scope="col">{words.paidAt}</th>
                  <th scope="col">{words.by}</th>
                  <th scope="col" className={table.number}>
                    {words.amount}
                  </th>
                </tr>
              </thead>
              <tbody>
                {entries.map(({ id, reference, paidAt, createdBy, amount, currency }) => (
                  <tr key={id}>
                    <td dir="auto">{reference}</td>
                    <td>{formats.date(paidAt)}</td>
                    <td>{nameOf(createdBy)}</td>
                    <td className={table.number}>
                      <Money amount={amount} currency={currency} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollBox>
        )}
      </TabState>
      {isOpen && <PaymentDialog budget={budget} onClose={() => setOpen(false)} />}
    </Section>
  );
}
