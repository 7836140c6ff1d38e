import { BUDGET_STATUSES, type Budget, fromMinor, type Sold, searchTextOf, soldOf } from "@budgetkit/core/store";
import { asInteger, asOneOf, asText, idToFind, idToWrite, orNull } from "@budgetkit/store-kit";
import type { StoreClock } from "../commit/connection.js";
import type { ConditionHandlers, WriteHandlers, WriteOf } from "../commit/handlers.js";
import type { OpenBusiness } from "../commit/open-business.js";
import { directoryWrites } from "../directory/directory.js";
import type { SqlValue } from "../engine/session.js";
import type { Statements } from "../engine/statements.js";

/** In the order of {@link columnValuesOf}. */
const COLUMNS = {
  version: "bigint",
  revision: "bigint",
  status: "text",
  customer_id: "text",
  currency: "text",
  total: "double precision",
  total_minor: "bigint",
  created_at: "bigint",
  valid_until: "bigint",
  public_token_hash: "text",
  search_text: "text",
  document: "text",
};

/** Clocks of processes may differ by this. */
const CLOCK_TOLERANCE_MS = 5_000;

/** What a replacement reads of the stored budget. */
interface Stored extends Sold {
  readonly version: number;
  readonly bytes: number; // of its document
  readonly revision: number;
  readonly publicTokenHash: string | null; // null = it has no public link
  readonly hasSameText: boolean; // for the search
}

export function budgetWrites(statements: Statements, clock: StoreClock): Pick<WriteHandlers, "budget"> {
  const insert = statements.insert("@budgets", { id: "bigint", ...COLUMNS });
  const assignments = Object.keys(COLUMNS).map((column, index) => `${column} = $${index + 3}`);
  const update = statements.write(`UPDATE @budgets SET ${assignments.join(", ")} WHERE business_id = $1 AND id = $2`);
  const keepRevision = statements.write(
    `INSERT INTO @budget_revisions (business_id, budget_id, revision, document)
     SELECT business_id, id, revision, document FROM @budgets WHERE business_id = $1 AND id = $2`,
  );
  const findStored = storedFinder(statements);
  const lead = linkLeader(statements);
  const databaseNow = statements.value("SELECT @database_now() WHERE $1::bigint IS NOT NULL");

  /** A process whose clock is ahead ends no budget early. */
  async function isEarly(open: OpenBusiness, { status, validUntil }: Budget): Promise<boolean> {
    if (clock !== "database" || status !== "EXPIRED" || validUntil === null) return false;
    return validUntil > asInteger(await databaseNow(open)) + CLOCK_TOLERANCE_MS;
  }

  return {
    budget: ({ budget, expected }: WriteOf<"budget">) => {
      const document = JSON.stringify(budget);
      const bytes = Buffer.byteLength(document);
      const searchText = searchTextOf(budget);
      const values = columnValuesOf(budget, searchText, document);
      if (expected === "absent") {
        idToWrite(budget.businessId);
        const id = idToWrite(budget.id);
        return async (open) => ({
          added: { budgets: 1, documentBytes: bytes },
          apply: () => {
            insert(open, id, ...values);
            lead(open, id, null, budget);
            open.texts.note("budgets", budget.id, false);
            open.sums.add(soldOf(budget));
          },
        });
      }
      const id = idToFind(budget.id);
      return async (open) => {
        const [stored, isAhead] = await Promise.all([findStored(open, id, searchText), isEarly(open, budget)]);
        if (stored?.version !== expected) return "stale";
        if (isAhead && stored.status === "PENDING") return "stale";
        const isRevision = budget.revision > stored.revision;
        return {
          added: { documentBytes: bytes - (isRevision ? 0 : stored.bytes) },
          apply: () => {
            if (isRevision) keepRevision(open, id);
            update(open, id, ...values);
            lead(open, id, stored.publicTokenHash, budget);
            if (!stored.hasSameText) open.texts.note("budgets", budget.id, true);
            open.sums.move(stored, soldOf(budget));
          },
        };
      };
    },
  };
}

/** Lets the directory lead from the public link of a budget to it. */
function linkLeader(statements: Statements) {
  const directory = directoryWrites(statements);
  return (open: OpenBusiness, id: number, former: string | null, { publicTokenHash }: Budget): void =>
    directory.replace(open, [former], { kind: "link", id, digests: [publicTokenHash] });
}

function storedFinder(
  statements: Statements,
): (open: OpenBusiness, id: number, searchText: string) => Promise<Stored | null> {
  const find = statements.row(
    `SELECT version, octet_length(document), revision, status, currency, total_minor, search_text = $3, public_token_hash,
       coalesce(sold.paid, 0), coalesce(sold.withheld, 0), coalesce(sold."sentAt", created_at), sold.acceptance IS NOT NULL
     FROM @budgets CROSS JOIN LATERAL json_to_record(document::json)
       AS sold (paid bigint, withheld bigint, "sentAt" bigint, acceptance json)
     WHERE business_id = $1 AND id = $2`,
  );
  return async (open, id, searchText) =>
    orNull(
      await find(open, id, searchText),
      ([version, bytes, revision, status, currency, total, isSame, token, ...sold]) => {
        const [paid, withheld, sentAt, isAccepted] = sold;
        return {
          version: asInteger(version),
          bytes: asInteger(bytes),
          revision: asInteger(revision),
          status: asOneOf(BUDGET_STATUSES, status),
          currency: asText(currency),
          total: asInteger(total),
          publicTokenHash: orNull(token, asText),
          hasSameText: isSame === true,
          paid: asInteger(paid),
          withheld: asInteger(withheld),
          sentAt: asInteger(sentAt),
          isAccepted: isAccepted === true,
        };
      },
    );
}

export function budgetConditions(statements: Statements): Pick<ConditionHandlers, "budget-version"> {
  const isAtVersion = statements.exists("SELECT FROM @budgets WHERE business_id = $1 AND id = $2 AND version = $3");
  return {
    "budget-version":
      ({ budgetId, is }) =>
      async (open) =>
        (await isAtVersion(open, idToFind(budgetId), is)) ? null : "stale",
  };
}

function columnValuesOf(budget: Budget, searchText: string, document: string): SqlValue[] {
  return [
    budget.version,
    budget.revision,
    budget.status,
    budget.customerId,
    budget.currency,
    fromMinor(budget.total, budget.currency),
    budget.total,
    budget.createdAt,
    budget.validUntil,
    budget.publicTokenHash,
    searchText,
    document,
  ];
}
