import type { Product } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { TextField } from "../../../components/inputs.js";
import { Money } from "../../../components/money.js";
import { messageOf } from "../../../components/notices.js";
import { useDebounced } from "../../../components/use-debounced.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import records from "../../records/records.module.css";

interface Props {
  readonly onChoose: (product: Product) => void;
}

const TYPING_MS = 250;
const MOST_FOUND = 8;

/** Finds products by name or code; each that is chosen is added. */
export function ProductSearch({ onChoose }: Props) {
  const words = useWords();
  const texts = words.catalog;
  const [text, setText] = useState("");
  const search = useDebounced(text.trim(), TYPING_MS);
  const { data, error } = useQuery({
    queryKey: ["products", "found", search],
    enabled: search !== "",
    queryFn: ({ signal }) => api.products.list({ search, limit: MOST_FOUND, sort: "name", order: "asc" }, { signal }),
  });
  const found = search === "" ? undefined : data?.data;
  return (
    <div className={records.form}>
      <TextField
        label={texts.addProduct}
        placeholder={texts.searchProducts}
        type="search"
        maxLength={200}
        value={text}
        error={error === null ? null : messageOf(error, words.common)}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault(); // of the form around it
          const [first] = found ?? [];
          if (first !== undefined) choose(first);
        }}
      />
      {found !== undefined && (
        <div className={records.found} role="status">
          {found.length === 0 && <p>{words.customers.records.nothingFound}</p>}
          {found.map((product) => (
            <button key={product.id} type="button" onClick={() => choose(product)}>
              <span className={records.clamp}>{product.name}</span>
              {product.unitPrice !== null && <Money amount={product.unitPrice} currency={product.currency} />}
            </button>
          ))}
        </div>
      )}
    </div>
  );

  function choose(product: Product) {
    onChoose(product);
    setText("");
  }
}
