import { Checkbox, SelectField } from "../../components/inputs.js";
import { SearchField } from "../../components/search-field.js";
import type { RecordsFilter } from "../../queries/records.js";
import { useWords } from "../../words/use-words.js";
import styles from "./records.module.css";
import type { RecordsSearch } from "./records-search.js";

interface Props {
  readonly label: string;
  readonly search: RecordsSearch;
  readonly onChange: (search: RecordsSearch) => void;
}

/** Search, order and deleted ones, all of them in the address. */
export function RecordsToolbar({ label, search, onChange }: Props) {
  const words = useWords().customers.records;
  const { q, deleted, sort } = search;
  return (
    <div className={styles.toolbar}>
      <SearchField
        label={label}
        value={q ?? ""}
        onChange={(text) => onChange({ ...without(search, "q"), ...(text === "" ? {} : { q: text }) })}
      />
      <SelectField
        label={words.order}
        hideLabel
        value={sort ?? "newest"}
        options={[
          { value: "newest", label: words.newest },
          { value: "name", label: words.byName },
        ]}
        onChange={(next) => onChange({ ...without(search, "sort"), ...(next === "name" ? { sort: next } : {}) })}
      />
      <Checkbox
        label={words.showDeleted}
        checked={deleted === true}
        onChange={(isOn) => onChange({ ...without(search, "deleted"), ...(isOn ? { deleted: true } : {}) })}
      />
    </div>
  );
}

function without<K extends keyof RecordsSearch>(search: RecordsSearch, field: K): Omit<RecordsSearch, K> {
  const { [field]: _, ...rest } = search;
  return rest;
}

/** What the lists are asked for. */
export function filterOf({ q = "", deleted, sort }: RecordsSearch): RecordsFilter {
  return { search: q, withDeleted: deleted === true, sort: sort ?? "createdAt" };
}
