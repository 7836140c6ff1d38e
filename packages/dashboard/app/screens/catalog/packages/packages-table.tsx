import type { Package } from "@budgetkit/client";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import table from "../../../components/table.module.css";
import { useFormats } from "../../../formats/use-formats.js";
import { productQuery } from "../../../queries/records.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import { RecordActions } from "../../records/record-actions.js";
import records from "../../records/records.module.css";
import { useDeletion } from "../../records/use-deletion.js";
import { PriceCell } from "../price-cell.js";
import { RecordTags } from "../record-tags.js";
import { PackageDialog } from "./package-dialog.js";

interface Props {
  readonly packages: readonly Package[];
  readonly mayWrite: boolean;
}

export function PackagesTable({ packages, mayWrite }: Props) {
  const words = useWords();
  const texts = words.catalog;
  const [opened, setOpened] = useState<Package | null>(null);
  const { remove, restore } = useDeletion({ kind: "packages", ...deletion });
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{texts.name}</th>
            <th scope="col" className={records.wide}>
              {texts.items}
            </th>
            <th scope="col" className={records.wide}>
              {texts.details}
            </th>
            <th scope="col" className={table.number}>
              {texts.price}
            </th>
            {mayWrite && (
              <th scope="col">
                <span className="visually-hidden">{words.common.more}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {packages.map((bundle) => (
            <tr key={bundle.id} className={bundle.deletedAt === undefined ? undefined : records.deleted}>
              <th scope="row" className={records.name}>
                {bundle.deletedAt === undefined ? (
                  <button type="button" className={records.clamp} onClick={() => setOpened(bundle)}>
                    {bundle.name}
                  </button>
                ) : (
                  <>
                    <span className={records.clamp}>{bundle.name}</span>
                    <span className={records.under}>{words.common.states.DELETED}</span>
                  </>
                )}
              </th>
              <td className={records.wide}>
                <Contents items={bundle.items} />
              </td>
              <td className={records.wide}>
                <RecordTags record={bundle} />
              </td>
              <td className={table.number}>
                <PriceCell
                  amount={bundle.effectivePrice}
                  currency={bundle.currency}
                  unit={bundle.unit}
                  hasTiers={bundle.priceTiers !== undefined}
                />
                {bundle.price === null && bundle.effectivePrice !== null && (
                  <span className={records.under}>{texts.sumOfItems}</span>
                )}
              </td>
              {mayWrite && (
                <td className={table.actions}>
                  <RecordActions
                    name={bundle.name}
                    isDeleted={bundle.deletedAt !== undefined}
                    onEdit={() => setOpened(bundle)}
                    onDelete={() => remove.mutate(bundle)}
                    onRestore={() => restore.mutate(bundle)}
                  />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {opened !== null && <PackageDialog bundle={opened} mayWrite={mayWrite} onClose={() => setOpened(null)} />}
    </div>
  );
}

const MOST_SHOWN = 3;

/** The first products of a package by name; the rest as a number. */
function Contents({ items }: Pick<Package, "items">) {
  const texts = useWords().catalog;
  const formats = useFormats();
  const shown = items.slice(0, MOST_SHOWN);
  const ids = [...new Set(shown.map(({ productId }) => productId))];
  const found = useQueries({ queries: ids.map((id) => productQuery(id)) });
  const nameOf = (id: string) => found[ids.indexOf(id)]?.data?.name ?? id;
  const lines = shown.map(({ productId, quantity }) => `${formats.number(quantity)} × ${nameOf(productId)}`);
  const rest = items.length - shown.length;
  return <span className={records.clamp}>{[...lines, ...(rest > 0 ? [texts.andMore(rest)] : [])].join(", ")}</span>;
}

const deletion = {
  delete: (id: string, options: { readonly ifMatch: number }) => api.packages.delete(id, options),
  restore: (id: string) => api.packages.restore(id),
};
