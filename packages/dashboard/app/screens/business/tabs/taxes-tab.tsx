import type { NamedTax } from "@budgetkit/client";
import { Percent, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/button.js";
import { Tag } from "../../../components/chip.js";
import { Menu } from "../../../components/menu.js";
import { EmptyState } from "../../../components/notices.js";
import table from "../../../components/table.module.css";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../business.module.css";
import { withoutTax, withTax } from "../form/tax-draft.js";
import type { BusinessForm } from "../form/use-business-form.js";
import { TaxDialog } from "./tax-dialog.js";

const MAX_TAXES = 20;

/** The taxes that budgets and products name. A budget has a copy: a change here changes no budget. */
export function TaxesTab({ form }: { readonly form: BusinessForm }) {
  const words = useWords().business;
  const [edited, setEdited] = useState<NamedTax | "new" | null>(null);
  const { taxes } = form.profile;
  const error = form.errorOf("taxes");
  const add = !form.isReadOnly && taxes.length < MAX_TAXES && (
    <Button icon={Plus} onClick={() => setEdited("new")}>
      {words.addTax}
    </Button>
  );
  return (
    <div className={styles.taxes}>
      <p className={styles.note}>{words.taxesNote}</p>
      {taxes.length === 0 ? (
        <EmptyState icon={Percent} title={words.noTaxes} text={words.noTaxesText} action={add} />
      ) : (
        <>
          <TaxTable
            taxes={taxes}
            onEdit={form.isReadOnly ? null : setEdited}
            onRemove={(tax) => form.set("taxes", withoutTax(taxes, tax.id))}
          />
          <div>{add}</div>
        </>
      )}
      {error !== null && (
        <p className={styles.bad} role="alert">
          {error}
        </p>
      )}
      {edited !== null && (
        <TaxDialog
          tax={edited === "new" ? null : edited}
          taxes={taxes}
          onDone={(tax) => {
            form.set("taxes", withTax(taxes, tax, edited === "new" ? null : edited.id));
            setEdited(null);
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </div>
  );
}

interface TableProps {
  readonly taxes: readonly NamedTax[];
  readonly onEdit: ((tax: NamedTax) => void) | null; // null = the person may not
  readonly onRemove: (tax: NamedTax) => void;
}

function TaxTable({ taxes, onEdit, onRemove }: TableProps) {
  const words = useWords();
  const formats = useFormats();
  const heads = ["name", "rate", "kind", "inclusive", "on", "default"] as const;
  const nameOf = (id: string) => taxes.find((tax) => tax.id === id)?.name ?? id;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard
    <section className={table.scroll} tabIndex={0} aria-label={words.business.tabs.taxes}>
      <table className={table.table}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className={head === "rate" ? table.number : undefined}>
                {words.business.tax[head]}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">{words.common.more}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {taxes.map((tax) => (
            <tr key={tax.id}>
              <th scope="row">
                <span className={table.strong}>{tax.name}</span> <code>{tax.id}</code>
              </th>
              <td className={table.number}>{formats.percent(tax.rate)}</td>
              <td>{words.business.taxKinds[tax.kind]}</td>
              <td>{tax.inclusive ? words.common.yes : words.common.no}</td>
              <td>{tax.on.length === 0 ? words.common.none : tax.on.map(nameOf).join(", ")}</td>
              <td>{tax.default ? <Tag>{words.business.tax.default}</Tag> : words.common.none}</td>
              <td className={table.actions}>
                {onEdit !== null && (
                  <Menu
                    groups={[
                      [{ label: words.common.edit, onSelect: () => onEdit(tax) }],
                      [{ label: words.common.remove, danger: true, onSelect: () => onRemove(tax) }],
                    ]}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
