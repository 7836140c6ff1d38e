import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { TextField } from "../../../components/inputs.js";
import { useDebounced } from "../../../components/use-debounced.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../budgets.module.css";
import { customerQuery, foundCustomersQuery } from "./customer-query.js";

interface Props {
  readonly value: string | null; // null = any customer
  readonly onChange: (customerId: string | null) => void;
}

const TYPING_MS = 250;

/** Finds a customer by name or email. The chosen one stays in the list, whatever is typed. */
export function CustomerChoice({ value, onChange }: Props) {
  const words = useWords().budgets;
  const [text, setText] = useState("");
  const found = useQuery(foundCustomersQuery(useDebounced(text.trim(), TYPING_MS)));
  const chosen = useQuery({ ...customerQuery(value ?? ""), enabled: value !== null });
  const others = (found.data?.data ?? []).filter(({ id }) => id !== value).slice(0, text === "" ? 3 : 6);
  const options = [...(value === null ? [] : [{ id: value, name: chosen.data?.name ?? value }]), ...others];
  return (
    <fieldset className={styles.choice}>
      <legend>{words.chips.customer}</legend>
      <TextField
        label={words.findCustomer}
        hideLabel
        type="search"
        placeholder={words.findCustomer}
        value={text}
        onChange={setText}
      />
      <label>
        <input type="radio" name="customer" checked={value === null} onChange={() => onChange(null)} />
        {words.anyCustomer}
      </label>
      {options.map(({ id, name }) => (
        <label key={id}>
          <input type="radio" name="customer" checked={id === value} onChange={() => onChange(id)} />
          <span>{name}</span>
        </label>
      ))}
      {found.data !== undefined && options.length === 0 && <p>{words.noCustomerFound}</p>}
    </fieldset>
  );
}
