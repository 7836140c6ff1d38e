import type { Budget, BudgetItem } from "@budgetkit/client";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import styles from "./lines.module.css";
import { useRecurrence } from "./use-recurrence.js";

interface Props {
  readonly item: BudgetItem;
  readonly budget: Pick<Budget, "currency" | "taxes">;
}

/** What a line has besides text, quantity and price: product, discount, range, tiers, repetition, own taxes. */
export function LineDetails({ item, budget }: Props) {
  const words = useWords().budget.lines;
  const formats = useFormats();
  const recurrence = useRecurrence();
  const money = (amount: number) => formats.moneyText(amount, budget.currency);
  const details: string[] = [];
  if (item.product?.sku != null) details.push(item.product.sku);
  if (item.package !== undefined) {
    const contents = item.package.items.map(({ name, quantity }) => `${formats.number(quantity)} × ${name ?? ""}`);
    details.push(`${words.package}: ${contents.join(", ")}`);
  }
  if (item.discountRate !== undefined) details.push(words.discount(formats.percent(item.discountRate)));
  if (item.discountAmount !== undefined) details.push(words.discount(money(item.discountAmount)));
  if (item.quantityRange !== undefined) {
    const { minimum, maximum, step } = item.quantityRange;
    details.push(words.range(formats.number(minimum), formats.number(maximum), formats.number(step)));
  }
  if (item.priceTiers !== undefined) {
    const tiers = item.priceTiers.map(({ from, unitPrice }) => words.tier(formats.number(from), money(unitPrice)));
    details.push(`${words.tiers}: ${tiers.join(", ")}`);
  }
  if (item.recurring !== undefined) details.push(recurrence(item.recurring));
  if (item.taxes !== undefined) {
    const names = item.taxes.map((id) => budget.taxes?.find((tax) => tax.id === id)?.name ?? id);
    details.push(names.length === 0 ? words.noTaxes : words.onlyTaxes(names.join(", ")));
  }
  if (details.length === 0) return null;
  return (
    <ul className={styles.details}>
      {details.map((detail) => (
        <li key={detail}>{detail}</li>
      ))}
    </ul>
  );
}
