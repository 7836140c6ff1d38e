import type { Product } from "@budgetkit/client";
import { Lock } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Money } from "../../../components/money.js";
import table from "../../../components/table.module.css";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import { RecordActions } from "../../records/record-actions.js";
import records from "../../records/records.module.css";
import { useDeletion } from "../../records/use-deletion.js";
import { PriceCell } from "../price-cell.js";
import { RecordTags } from "../record-tags.js";
import { ProductDialog } from "./product-dialog.js";

interface Props {
  readonly products: readonly Product[];
  readonly mayWrite: boolean;
}

export function ProductsTable({ products, mayWrite }: Props) {
  const words = useWords();
  const texts = words.catalog;
  const [opened, setOpened] = useState<Product | null>(null);
  const { remove, restore } = useDeletion({ kind: "products", ...deletion });
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{texts.name}</th>
            <th scope="col" className={records.wide}>
              {texts.details}
            </th>
            <th scope="col" className={`${table.number} ${records.wide}`}>
              <span className={records.secret}>
                <Lock size={13} aria-hidden="true" /> {texts.unitCost}
                <span className="visually-hidden">, {texts.internal}</span>
              </span>
            </th>
            <th scope="col" className={table.number}>
              {texts.unitPrice}
            </th>
            {mayWrite && (
              <th scope="col">
                <span className="visually-hidden">{words.common.more}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {products.map((product) => (
            <ProductRow key={product.id} product={product} onOpen={() => setOpened(product)}>
              {mayWrite && (
                <td className={table.actions}>
                  <RecordActions
                    name={product.name}
                    isDeleted={product.deletedAt !== undefined}
                    onEdit={() => setOpened(product)}
                    onDelete={() => remove.mutate(product)}
                    onRestore={() => restore.mutate(product)}
                  />
                </td>
              )}
            </ProductRow>
          ))}
        </tbody>
      </table>
      {opened !== null && <ProductDialog product={opened} mayWrite={mayWrite} onClose={() => setOpened(null)} />}
    </div>
  );
}

interface RowProps {
  readonly product: Product;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

function ProductRow({ product, onOpen, children }: RowProps) {
  const words = useWords();
  const { name, sku, deletedAt, currency, unit, unitPrice, unitCost, priceTiers, variants } = product;
  const facts = [sku, variants.length > 0 ? words.catalog.variantCount(variants.length) : null];
  const under = deletedAt === undefined ? facts.filter(Boolean).join(" · ") : words.common.states.DELETED;
  return (
    <tr className={deletedAt === undefined ? undefined : records.deleted}>
      <th scope="row" className={records.name}>
        {deletedAt === undefined ? (
          <button type="button" className={records.clamp} onClick={onOpen}>
            {name}
          </button>
        ) : (
          <span className={records.clamp}>{name}</span>
        )}
        {under !== "" && <span className={records.under}>{under}</span>}
      </th>
      <td className={records.wide}>
        <RecordTags record={product} />
      </td>
      <td className={`${table.number} ${records.wide}`}>
        {unitCost === undefined ? words.common.none : <Money amount={unitCost} currency={currency} />}
      </td>
      <td className={table.number}>
        <PriceCell amount={unitPrice} currency={currency} unit={unit} hasTiers={priceTiers !== undefined} />
      </td>
      {children}
    </tr>
  );
}

const deletion = {
  delete: (id: string, options: { readonly ifMatch: number }) => api.products.delete(id, options),
  restore: (id: string) => api.products.restore(id),
};
