import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Button } from "../../components/button.js";
import { SelectField, TextField } from "../../components/inputs.js";
import { useWords } from "../../words/use-words.js";
import { GROUPS, OFFERED } from "./event-filter.js";
import styles from "./events.module.css";
import type { EventsSearch } from "./events-search.js";

const PAUSE_MS = 400;

/** The filters; each stands in the address. */
export function EventFilters({ search }: { readonly search: EventsSearch }) {
  const words = useWords().events;
  const navigate = useNavigate();
  const set = (change: Partial<Record<keyof EventsSearch, string>>) =>
    void navigate({
      to: "/events",
      search: (previous) => withoutEmpty({ ...previous, ...change, entry: undefined }),
      replace: true,
    });
  const known = [...GROUPS.map((group) => `${group}.*`), ...OFFERED].sort();
  const { type = "" } = search;
  const types = type === "" || known.includes(type) ? known : [type, ...known];
  const isFiltered = Object.keys(search).some((name) => name !== "entry");
  return (
    <search className={styles.filters}>
      <SelectField
        label={words.type}
        value={type}
        options={[{ value: "", label: words.everyType }, ...types.map((value) => ({ value, label: value }))]}
        onChange={(value) => set({ type: value })}
      />
      <PausedField label={words.subjectId} value={search.subject ?? ""} onChange={(subject) => set({ subject })} />
      <PausedField
        label={words.actor}
        placeholder="user:7"
        value={search.actor ?? ""}
        onChange={(actor) => set({ actor })}
      />
      <TextField label={words.since} type="date" value={search.since ?? ""} onChange={(since) => set({ since })} />
      <TextField label={words.until} type="date" value={search.until ?? ""} onChange={(until) => set({ until })} />
      {isFiltered && (
        <Button kind="quiet" onClick={() => void navigate({ to: "/events", search: {} })}>
          {words.clear}
        </Button>
      )}
    </search>
  );
}

function withoutEmpty(search: Partial<Record<keyof EventsSearch, string | undefined>>): EventsSearch {
  const { type, subject, actor, since, until } = search;
  return {
    ...(type ? { type } : {}),
    ...(subject ? { subject } : {}),
    ...(actor ? { actor } : {}),
    ...(since ? { since } : {}),
    ...(until ? { until } : {}),
  };
}

interface PausedProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Text that counts once the person pauses. */
function PausedField({ value, onChange, ...rest }: PausedProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function is no new text
  useEffect(() => {
    if (text === value) return;
    const timer = window.setTimeout(() => onChange(text.trim()), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [text, value]);
  return <TextField {...rest} maxLength={200} value={text} onChange={setText} />;
}
