import type { Budget, BudgetItem } from "@budgetkit/client";
import { Check } from "lucide-react";
import { Tag } from "../../../components/chip.js";
import { Money } from "../../../components/money.js";
import table from "../../../components/table.module.css";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import { LineDetails } from "./line-details.js";
import styles from "./lines.module.css";

type Line = Budget["items"][number];

interface Props {
  readonly line: Line;
  readonly budget: Budget;
  readonly hasCosts: boolean;
}

export function LineRow({ line, budget, hasCosts }: Props) {
  const words = useWords().budget.lines;
  const width = hasCosts ? 5 : 4;
  switch (line.kind) {
    case "heading":
      return (
        <tr className={styles.heading}>
          <th scope="rowgroup" colSpan={width} dir="auto">
            {line.description}
          </th>
        </tr>
      );
    case "text":
      return (
        <tr>
          <td colSpan={width} className={styles.note} dir="auto">
            {line.description}
          </td>
        </tr>
      );
    case "subtotal":
      return (
        <tr className={styles.subtotal}>
          <th scope="row" colSpan={width - 1} dir="auto">
            {line.description ?? words.subtotal}
          </th>
          <td className={table.number}>
            <Money amount={line.total} currency={budget.currency} showCode={false} />
          </td>
        </tr>
      );
    case "choice":
      return (
        <tr>
          <th scope="row" colSpan={width} className={styles.choice}>
            <span dir="auto">{line.description}</span>{" "}
            <Tag kind="choice">{words.choose(line.minimum, line.maximum)}</Tag>
          </th>
        </tr>
      );
    case undefined:
      return <ItemRow item={line} budget={budget} hasCosts={hasCosts} />;
  }
}

interface ItemProps {
  readonly item: BudgetItem;
  readonly budget: Budget;
  readonly hasCosts: boolean;
}

function ItemRow({ item, budget, hasCosts }: ItemProps) {
  const { budget: all, common } = useWords();
  const words = all.lines;
  const formats = useFormats();
  const isLeftOut = item.selected === false;
  const isOpen = item.optional === true || item.choice !== undefined;
  return (
    <tr className={isLeftOut ? table.quiet : ""}>
      <th scope="row" className={`${styles.item} ${item.choice === undefined ? "" : styles.option}`}>
        <span dir="auto">{item.description}</span>
        {isOpen && (
          <span className={styles.chosen}>
            {item.optional === true && <Tag kind="choice">{words.optional}</Tag>}
            {isLeftOut ? (
              words.notChosen
            ) : (
              <>
                <Check size={13} aria-hidden="true" /> {words.chosen}
              </>
            )}
          </span>
        )}
        <LineDetails item={item} budget={budget} />
      </th>
      <td className={table.number}>
        {formats.number(item.quantity)} {item.unit ?? ""}
      </td>
      <td className={table.number}>
        <Money amount={item.unitPrice} currency={budget.currency} showCode={false} />
      </td>
      {hasCosts && (
        <td className={`${table.number} ${styles.internal}`}>
          {item.unitCost !== undefined && (
            <Money amount={item.unitCost * item.quantity} currency={budget.currency} showCode={false} />
          )}
        </td>
      )}
      <td className={table.number}>
        {isLeftOut ? (
          common.none
        ) : (
          <Money amount={item.gross ?? item.total} currency={budget.currency} showCode={false} />
        )}
      </td>
    </tr>
  );
}
