import type { Customer } from "@budgetkit/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import table from "../../components/table.module.css";
import { useFormats } from "../../formats/use-formats.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { RecordActions } from "../records/record-actions.js";
import styles from "../records/records.module.css";
import { useDeletion } from "../records/use-deletion.js";
import { CustomerDialog } from "./customer-dialog.js";

interface Props {
  readonly customers: readonly Customer[];
  readonly mayWrite: boolean;
}

export function CustomersTable({ customers, mayWrite }: Props) {
  const words = useWords();
  const texts = words.customers;
  const formats = useFormats();
  const [edited, setEdited] = useState<Customer | null>(null);
  const { remove, restore } = useDeletion({ kind: "customers", ...deletion });
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{texts.fields.name}</th>
            <th scope="col" className={styles.wide}>
              {texts.fields.email}
            </th>
            <th scope="col" className={styles.wide}>
              {texts.fields.phone}
            </th>
            <th scope="col" className={styles.wide}>
              {texts.fields.cuit}
            </th>
            <th scope="col" className={styles.wide}>
              {texts.added}
            </th>
            {mayWrite && (
              <th scope="col">
                <span className="visually-hidden">{words.common.more}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {customers.map((customer) => (
            <tr key={customer.id} className={customer.deletedAt === undefined ? undefined : styles.deleted}>
              <th scope="row" className={styles.name}>
                {customer.deletedAt === undefined ? (
                  <Link to="/customers/$customerId" params={{ customerId: customer.id }} className={styles.clamp}>
                    {customer.name}
                  </Link>
                ) : (
                  <>
                    <span className={styles.clamp}>{customer.name}</span>
                    <span className={styles.under}>{words.common.states.DELETED}</span>
                  </>
                )}
                <span className={`${styles.under} ${styles.narrow}`}>{customer.email ?? customer.phone}</span>
              </th>
              <td className={styles.wide}>{customer.email ?? words.common.none}</td>
              <td className={styles.wide}>{customer.phone ?? words.common.none}</td>
              <td className={styles.wide}>{customer.cuit ?? words.common.none}</td>
              <td className={`${styles.wide} ${table.quiet}`}>{formats.date(customer.createdAt)}</td>
              {mayWrite && (
                <td className={table.actions}>
                  <RecordActions
                    name={customer.name}
                    isDeleted={customer.deletedAt !== undefined}
                    onEdit={() => setEdited(customer)}
                    onDelete={() => remove.mutate(customer)}
                    onRestore={() => restore.mutate(customer)}
                  />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {edited !== null && <CustomerDialog customer={edited} onClose={() => setEdited(null)} />}
    </div>
  );
}

const deletion = {
  delete: (id: string, options: { readonly ifMatch: number }) => api.customers.delete(id, options),
  restore: (id: string) => api.customers.restore(id),
};
