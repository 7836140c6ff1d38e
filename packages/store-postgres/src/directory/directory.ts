import type { DirectoryKind } from "../engine/layout.js";
import type { Statements } from "../engine/statements.js";
import type { Transaction } from "../engine/transaction.js";

/** A record, and the digests that lead to it. */
interface Named {
  readonly kind: DirectoryKind;
  readonly id: number;
  readonly digests: readonly (string | null)[];
}

/** Writes the directory in the transaction that writes the records. */
export interface DirectoryWrites {
  /** Replaces the digests that lead to a record. A digest that leads to another record fails the transaction as a duplicate. */
  replace(transaction: Transaction, former: readonly (string | null)[], present: Named): void;
}

export function directoryWrites(statements: Statements): DirectoryWrites {
  const add = statements.insert("@directory", { kind: "text", digest: "text", id: "bigint" });
  const remove = statements.write("DELETE FROM @directory WHERE kind = $2 AND digest = $3 AND business_id = $1");

  return {
    replace: (transaction, former, { kind, id, digests }) => {
      const [before, after] = [digestsIn(former), digestsIn(digests)];
      for (const digest of before) if (!after.has(digest)) remove(transaction, kind, digest);
      for (const digest of after) if (!before.has(digest)) add(transaction, kind, digest, id);
    },
  };
}

function digestsIn(digests: readonly (string | null)[]): ReadonlySet<string> {
  return new Set(digests.filter((digest) => digest !== null));
}
