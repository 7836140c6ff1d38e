import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { remainingError } from "../../components/field-errors.js";
import { useToast } from "../../components/toast.js";
import { useWords } from "../../words/use-words.js";
import { isConflict } from "./conflict-notice.js";
import { useRecordsChanged } from "./use-deletion.js";

interface Saved {
  readonly id: string;
  readonly version: number;
  readonly name: string;
}

interface Operations<V, I> {
  readonly kind: "customers" | "products" | "packages";
  create(input: I): PromiseLike<V>;
  update(id: string, input: I, options: { readonly ifMatch: number }): PromiseLike<V>;
  get(id: string): PromiseLike<V>;
}

interface Options<V, D, I> {
  readonly operations: Operations<V, I>;
  /** Null = a new one. */
  readonly record: V | null;
  readonly draftOf: (record: V | null) => D;
  /** The fields that show errors of their own. */
  readonly fields: readonly string[];
  readonly onSaved: (record: V) => void;
}

/** What the forms of records have in common: the draft, saving it over the version it began with, and loading that again. */
export function useRecordForm<V extends Saved, D, I>(options: Options<V, D, I>) {
  const { operations, record, draftOf, fields, onSaved } = options;
  const words = useWords().customers.records;
  const toast = useToast();
  const changed = useRecordsChanged(operations.kind);
  const [base, setBase] = useState(record);
  const [draft, setDraft] = useState(() => draftOf(record));
  const save = useMutation({
    mutationFn: async (input: I) =>
      base === null ? operations.create(input) : operations.update(base.id, input, { ifMatch: base.version }),
    onSuccess: (saved) => {
      toast({ text: base === null ? words.created(saved.name) : words.changed(saved.name) });
      onSaved(saved);
    },
    onSettled: changed,
  });
  const reload = useMutation({
    mutationFn: async () => (base === null ? null : operations.get(base.id)),
    onSuccess: (current) => {
      setBase(current);
      setDraft(draftOf(current));
      save.reset();
    },
  });
  const rest = isConflict(save.error) ? null : remainingError(save.error, fields);
  return { base, draft, setDraft, save, reload: () => reload.mutate(), formError: reload.error ?? rest };
}
