import { useMutation, useQueryClient } from "@tanstack/react-query";
import { messageOf } from "../../components/notices.js";
import { useToast } from "../../components/toast.js";
import { useWords } from "../../words/use-words.js";

interface Deletable {
  readonly id: string;
  readonly version: number;
  readonly name: string;
}

interface Operations {
  /** The first part of the keys of its queries. */
  readonly kind: "customers" | "products" | "packages";
  delete(id: string, options: { readonly ifMatch: number }): PromiseLike<unknown>;
  restore(id: string): PromiseLike<unknown>;
}

/** Deletes a record at once, and offers to take it back: no question beforehand, since nothing is lost. */
export function useDeletion(operations: Operations) {
  const words = useWords();
  const toast = useToast();
  const changed = useRecordsChanged(operations.kind);
  const onError = (error: Error) => toast({ text: messageOf(error, words.common), isError: true });
  const restore = useMutation({
    mutationFn: async (record: Deletable) => operations.restore(record.id),
    onSuccess: (_, { name }) => toast({ text: words.customers.records.restored(name) }),
    onError,
    onSettled: changed,
  });
  const remove = useMutation({
    mutationFn: async ({ id, version }: Deletable) => operations.delete(id, { ifMatch: version }),
    onSuccess: (_, record) =>
      toast({ text: words.customers.records.deleted(record.name), undo: () => restore.mutate(record) }),
    onError,
    onSettled: changed,
  });
  return { remove, restore };
}

/** Reads what a write to a record changes: budgets show names of customers, packages prices of products. */
export function useRecordsChanged(kind: Operations["kind"]): () => void {
  const queryClient = useQueryClient();
  return () => {
    const kinds = { customers: ["customers", "budgets"], products: ["products", "packages"], packages: ["packages"] };
    for (const each of kinds[kind]) void queryClient.invalidateQueries({ queryKey: [each] });
  };
}
