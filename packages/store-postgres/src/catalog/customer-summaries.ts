import type { CatalogStore, CustomerSummary } from "@budgetkit/core/store";
import { asText, idToFind, orNull, type Row } from "@budgetkit/store-kit";
import { textToFind } from "../engine/arguments.js";
import type { KeyedRows, LookUp } from "../engine/dataloader.js";

export const CUSTOMER_SUMMARIES: KeyedRows = {
  key: { business: "bigint", id: "text" },
  row: "SELECT id, name, email, phone FROM @customers WHERE business_id = key.business AND id = key.id",
};

/** `find`: looks up {@link CUSTOMER_SUMMARIES}. */
export function customerSummaryFinder(find: LookUp): CatalogStore["findCustomers"] {
  return async (businessId, ids) => {
    const business = idToFind(businessId);
    const rows = await find([...new Set(ids)].map((id) => [business, textToFind(id)]));
    return rows.filter((row) => row !== null).map(asSummary);
  };
}

function asSummary([id, name, email, phone]: Row): CustomerSummary {
  return { id: asText(id), name: asText(name), email: orNull(email, asText), phone: orNull(phone, asText) };
}
