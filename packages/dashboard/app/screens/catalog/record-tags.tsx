import type { NamedTax, Product } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { Tag } from "../../components/chip.js";
import { businessQuery } from "../../queries/business.js";
import { useWords } from "../../words/use-words.js";
import records from "../records/records.module.css";

type Tagged = Pick<Product, "active" | "recurring" | "priceTiers" | "taxes">;

/** What lines take over from a record, in short. */
export function RecordTags({ record }: { readonly record: Tagged }) {
  const words = useWords().catalog;
  const named: readonly NamedTax[] = useQuery(businessQuery).data?.taxes ?? [];
  const { active, recurring, priceTiers, taxes } = record;
  return (
    <span className={records.tags}>
      {!active && <Tag>{words.inactive}</Tag>}
      {recurring !== undefined && <Tag>{words.every(recurring.interval, recurring.intervalCount)}</Tag>}
      {priceTiers !== undefined && <Tag>{words.byQuantity}</Tag>}
      {taxes?.length === 0 && <Tag>{words.taxKinds.exempt}</Tag>}
      {taxes?.map((id) => (
        <Tag key={id}>{named.find((tax) => tax.id === id)?.name ?? id}</Tag>
      ))}
    </span>
  );
}
