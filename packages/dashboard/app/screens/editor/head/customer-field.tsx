import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { UserPlus, UserRound } from "lucide-react";
import { useId, useRef, useState } from "react";
import { Avatar } from "../../../components/avatar.js";
import { Field } from "../../../components/field.js";
import { useMay } from "../../../session/use-session.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import type { EditedCustomer } from "../document/edited-budget.js";
import { optionId, type Suggestion, Suggestions } from "../grid/suggestions.js";
import { useSuggestionKeys } from "../grid/use-suggestion-keys.js";
import styles from "./head.module.css";

interface Props {
  readonly customer: EditedCustomer | null;
  /** A saved budget stays that of its customer. */
  readonly isFixed: boolean;
  readonly error: string | null;
  readonly onChoose: (customer: EditedCustomer) => void;
  /** Makes a new customer of this name. */
  readonly onCreate: (name: string) => void;
}

const LIMIT = 8;

/** Finds a customer by name or email while typing, or begins a new one. */
export function CustomerField({ customer, isFixed, error, onChoose, onCreate }: Props) {
  const words = useWords().editor;
  const may = useMay();
  const anchor = useRef<HTMLDivElement>(null);
  const listId = useId();
  const [text, setText] = useState<string | null>(null); // null = it is not typed into
  const search = text?.trim() ?? "";
  const { data, isFetching } = useQuery({
    queryKey: ["customers", "lookup", search],
    enabled: text !== null && may("READ_CUSTOMERS"),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.customers.list(
        { limit: LIMIT, sort: "name", order: "asc", ...(search === "" ? {} : { search: search.slice(0, 200) }) },
        { signal },
      ),
  });
  const leave = () => setText(null);
  const found: Suggestion[] = (data?.data ?? []).map(({ id, name, email, phone }) => ({
    id,
    label: name,
    detail: email ?? "",
    icon: UserRound,
    pick: () => {
      onChoose({ id, name, email: email ?? "", phone: phone ?? "" });
      leave();
    },
  }));
  const create: Suggestion = {
    id: "new",
    label: search === "" ? words.newCustomer : words.newCustomerNamed(search),
    icon: UserPlus,
    pick: () => {
      onCreate(search);
      leave();
    },
  };
  const options = text === null ? null : [...found, ...(may("WRITE_CUSTOMERS") ? [create] : [])];
  const keys = useSuggestionKeys(options, 0, leave);
  const note = found.length === 0 && isFetching ? words.searching : null;
  return (
    <Field label={words.headFields.customer} error={error}>
      {(control) => (
        <div className={styles.customer} ref={anchor}>
          {customer !== null && text === null && customer.name !== "" && (
            <span className={styles.chosen} aria-hidden="true">
              <Avatar name={customer.name} />
              <span className={styles.customerName}>{customer.name}</span>
              <span className={styles.email}>{customer.email}</span>
            </span>
          )}
          <input
            {...control}
            role="combobox"
            aria-expanded={options !== null}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={options === null ? undefined : optionId(listId, keys.active)}
            autoComplete="off"
            disabled={isFixed}
            maxLength={255}
            dir="auto"
            data-field="customer"
            placeholder={words.customerPlaceholder}
            value={text ?? customer?.name ?? ""}
            onFocus={(event) => {
              setText("");
              event.target.select();
            }}
            onBlur={leave}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Tab") keys.onKeyDown(event);
            }}
          />
          {options !== null && (
            <Suggestions
              id={listId}
              label={words.headFields.customer}
              anchor={anchor}
              options={options}
              active={keys.active}
              note={note}
            />
          )}
        </div>
      )}
    </Field>
  );
}
