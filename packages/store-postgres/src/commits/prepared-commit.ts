import {
  addedBy,
  addUse,
  budgetToNumber,
  type Change,
  type Committed,
  exceedsQuota,
  isRefusal,
  type NumberDraw,
  type Refusal,
  type StoreCommit,
  withNumber,
} from "@budgetkit/core/store";
import { idToFind } from "@budgetkit/store-kit";
import { footprintOf } from "../commit/footprint.js";
import type { Check, Inspect } from "../commit/handlers.js";
import type { OpenBusiness } from "../commit/open-business.js";
import type { Piece } from "../commit/run-pieces.js";
import { unexpected, useIn } from "../commit/totals.js";
import type { HeldClaims } from "../events/held-claims.js";
import type { OutboxRead, OutboxWrite } from "../webhooks/outbox.js";

/** What prepares the parts of commits. */
export interface CommitParts {
  readonly prepareWrite: (write: StoreCommit["writes"][number], businessId: string) => Inspect;
  readonly prepareCondition: (condition: StoreCommit["conditions"][number], businessId: string) => Check;
  readonly prepareOutbox: (commit: StoreCommit) => OutboxWrite;
  readonly claims: HeldClaims;
}

/** A commit that is encoded. */
interface Prepared {
  readonly commit: StoreCommit;
  readonly inspections: readonly Inspect[];
  readonly checks: readonly Check[];
  readonly outbox: OutboxWrite;
}

/** What a commit would do, from what it has read. */
interface Inspected {
  /** What its entries depend on. */
  readonly entries: OutboxRead;
  /** The first reason to refuse it, in their order; null = there is none. */
  refusal(): Refusal | null;
  /** `number`: that it has drawn. */
  apply(number: string | null): Committed;
}

/**
 * Encodes a commit outside of the transaction. Within, everything is read before anything is written: pieces that share a
 * transaction are not undone one by one, so that a refused commit must have written nothing.
 */
export function commitPiece(parts: CommitParts, commit: StoreCommit): Piece<Committed> {
  const prepared = prepare(parts, commit);
  return {
    business: idToFind(commit.businessId),
    footprint: footprintOf(commit),
    whenRepeated: (committed) => (committed.kind === "written" ? { ...committed, made: null } : committed),
    size: 2 * prepared.outbox.bytes, // its entries have about the documents that it writes
    inspect: async (open) => {
      const { entries, refusal, apply } = await inspect(parts, prepared, open);
      return async () => {
        const by = refusal();
        if (by !== null) return { kind: "refused", by };
        const { numbering } = commit;
        if (numbering?.kind === "draw") return applyNumbered(parts, { commit, entries, draw: numbering }, open);
        if (numbering?.kind === "keep") await open.numbers.keep(idToFind(budgetToNumber(commit.writes).id), numbering);
        return apply(null);
      };
    },
  };
}

/** The number may change the size of what is written, which counts as it is. */
async function applyNumbered(
  parts: CommitParts,
  { commit, entries, draw }: { readonly commit: StoreCommit; readonly entries: OutboxRead; readonly draw: NumberDraw },
  open: OpenBusiness,
): Promise<Committed> {
  const number = await open.numbers.draw(idToFind(budgetToNumber(commit.writes).id), draw);
  const numbered = prepare(parts, withNumber(commit, draw.blank, number));
  return (await inspect(parts, numbered, open, entries)).apply(number);
}

function prepare({ prepareWrite, prepareCondition, prepareOutbox }: CommitParts, commit: StoreCommit): Prepared {
  const { businessId, writes, conditions } = commit;
  return {
    commit,
    inspections: writes.map((write) => prepareWrite(write, businessId)),
    checks: conditions.map((condition) => prepareCondition(condition, businessId)),
    outbox: prepareOutbox(commit),
  };
}

/** Reads all that decides. */
async function inspect(
  { claims }: CommitParts,
  { commit, inspections, checks, outbox }: Prepared,
  open: OpenBusiness,
  known: OutboxRead | null = null,
): Promise<Inspected> {
  const { completes, quota, numbering } = commit;
  const [found, refusals, entries, isTaken, isHeld] = await Promise.all([
    Promise.all(inspections.map((each) => each(open))),
    Promise.all(checks.map((check) => check(open))),
    known ?? outbox.read(open),
    numbering?.kind === "keep" && open.numbers.isTaken(numbering.number),
    claims.isHeld(open, completes),
    quota !== null && open.load(),
  ]);

  const changes = found.filter((change): change is Change => !isRefusal(change));
  const added = addedBy(changes);
  const isAboveQuota = () =>
    quota !== null && exceedsQuota(useIn(open.totals), addUse(added, { documentBytes: outbox.bytes }), quota);

  return {
    entries,
    refusal: () => {
      const by = found.find(isRefusal) ?? refusals.find((refusal) => refusal !== null);
      if (by !== undefined) return by;
      if (isAboveQuota()) {
        if (open.isExpected) throw unexpected();
        return "quota-exceeded";
      }
      if (numbering?.kind === "keep" && (isTaken || open.numbers.isUsed(numbering.number))) {
        return { taken: "number", value: numbering.number };
      }
      return isHeld ? null : "claim-lost";
    },
    apply: (number) => {
      claims.complete(open, completes);
      for (const change of changes) change.apply();
      return { kind: "written", number, ...outbox.append(open, entries, added) };
    },
  };
}
