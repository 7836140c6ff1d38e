import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { api } from "../../../start/api.js";
import { type CatalogEntry, entriesOf } from "./catalog-entries.js";

const PAUSE_MS = 150;
const LIMIT = 12;

/** What the catalog has for a text, while it is typed. Null = nothing is looked up. */
export function useCatalog(
  text: string | null,
  currency: string,
): { entries: readonly CatalogEntry[]; isLoading: boolean } {
  const search = useSettled(text);
  const isAsked = search !== null;
  const { data, isFetching } = useQuery({
    queryKey: ["products", "lookup", search],
    enabled: isAsked,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = {
        limit: LIMIT,
        sort: "name",
        order: "asc",
        ...(search ? { search: search.slice(0, 200) } : {}),
      } as const;
      const [products, packages] = await Promise.all([
        api.products.list(query, { signal }),
        api.packages.list(query, { signal }),
      ]);
      return { products: products.data, packages: packages.data };
    },
  });
  const entries = useMemo(
    () => (isAsked && data !== undefined ? entriesOf(data.products, data.packages, currency).slice(0, LIMIT) : []),
    [data, currency, isAsked],
  );
  return { entries, isLoading: isFetching || search !== text };
}

function useSettled(text: string | null): string | null {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), text === null || text === "" ? 0 : PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  return text === null ? null : settled;
}
