import { z } from "zod";
import type { AccessStore } from "../access/access-store.js";
import { canonicalJson } from "../kernel/canonical-json.js";
import { type Clock, toTimestamp } from "../kernel/clock.js";
import type { ChainBeginning, LedgerStore } from "./ledger-store.js";
import { openStatement, type StatementContext, type StatementSigner } from "./own-signature.js";
import type { LedgerFault } from "./verify-ledger.js";

const BEGINNING_TYPE = "budgetkit.ledger-beginning.v1";

const claimsSchema = z.object({
  type: z.literal(BEGINNING_TYPE),
  businessId: z.string(),
  sequence: z.number(),
  missing: z.array(z.tuple([z.number(), z.number()])),
});

/** Verifies that the service has signed where the chain begins: nothing proves the entries before. */
export async function verifyBeginning(
  context: StatementContext,
  businessId: string,
  beginning: ChainBeginning | null, // null = with the first entry
): Promise<LedgerFault | null> {
  if (beginning === null) return null;
  const { sequence } = beginning;
  const wrong = await mistakeIn(context, businessId, beginning);
  if (wrong === null) return null;
  return { kind: "changed", sequence, says: `the statement that the chain begins with the entry ${sequence} ${wrong}` };
}

async function mistakeIn(
  context: StatementContext,
  businessId: string,
  beginning: ChainBeginning,
): Promise<string | null> {
  if (beginning.statement === null) {
    return "is not signed yet: if this database has just been upgraded, run budgetkit ledger sign-beginnings";
  }
  const opened = await openStatement(context, beginning.statement);
  if ("wrong" in opened) return opened.wrong;
  return saysSo(opened.claims, businessId, beginning) ? null : "is of another one";
}

function saysSo(claims: unknown, businessId: string, { sequence, missing }: ChainBeginning): boolean {
  const { data: signed } = claimsSchema.safeParse(claims);
  const isOfIt = signed?.businessId === businessId && signed.sequence === sequence;
  return isOfIt && canonicalJson(signed.missing) === canonicalJson(missing);
}

/** A beginning that was signed. */
export interface SignedBeginning {
  /** Id of the business. */
  readonly businessId: string;
  /** The first entry that the chain proves. */
  readonly sequence: number;
}

export interface BeginningContext extends StatementContext, StatementSigner {
  readonly store: Pick<LedgerStore, "findLedgerBounds" | "signBeginning"> &
    Pick<AccessStore, "listBusinesses"> &
    StatementContext["store"];
  readonly clock: Clock;
}

/** Which beginnings are signed. */
export interface BeginningChoice {
  /** Of this business alone; null = of all. */
  readonly businessId: string | null;
  /** Those too whose key no configured secret proves. */
  readonly isAgain: boolean;
}

const PAGE = 500;

/**
 * Signs where the chains begin that an upgrade of the store has recorded, and signs with the current key what a former
 * one has signed. Whoever calls it vouches for the record, so only an operator does: nothing in the database tells a
 * record of an upgrade from one that someone else has written.
 */
export async function signBeginnings(
  context: BeginningContext,
  { businessId, isAgain }: BeginningChoice,
): Promise<readonly SignedBeginning[]> {
  if (businessId !== null) return signOne(context, businessId, isAgain);
  const signed: SignedBeginning[] = [];
  for (let after: string | null = null; ; ) {
    const page: readonly { readonly id: string }[] = await context.store.listBusinesses(after, PAGE);
    for (const { id } of page) signed.push(...(await signOne(context, id, isAgain)));
    after = page.at(-1)?.id ?? null;
    if (after === null) return signed;
  }
}

/** Empty = there is none to sign, or another process has just signed it. */
async function signOne(
  context: BeginningContext,
  businessId: string,
  isAgain: boolean,
): Promise<readonly SignedBeginning[]> {
  const { store, sign, clock, publicBaseUrl: issuer } = context;
  const { beginning } = await store.findLedgerBounds(businessId);
  if (beginning === null || !(await isToSign(context, businessId, beginning, isAgain))) return [];
  const { sequence, missing, statement: former } = beginning;
  const at = toTimestamp(clock.now());
  const statement = canonicalJson(await sign({ type: BEGINNING_TYPE, issuer, businessId, sequence, missing, at }));
  return (await store.signBeginning(businessId, sequence, statement, former)) ? [{ businessId, sequence }] : [];
}

/** A statement that was changed, or is of another beginning, stays as it is: it shows what was done. */
async function isToSign(
  context: StatementContext,
  businessId: string,
  beginning: ChainBeginning,
  isAgain: boolean,
): Promise<boolean> {
  if (beginning.statement === null) return true;
  const opened = await openStatement(context, beginning.statement);
  if ("wrong" in opened) return isAgain && saysSo(opened.unproven, businessId, beginning);
  return !opened.isCurrent && saysSo(opened.claims, businessId, beginning);
}
