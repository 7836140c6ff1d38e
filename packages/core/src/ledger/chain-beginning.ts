import { z } from "zod";
import { canonicalJson } from "../kernel/canonical-json.js";
import { type Clock, toTimestamp } from "../kernel/clock.js";
import type { CheckpointContext } from "./ledger-checkpoint.js";
import type { ChainBeginning, LedgerStore } from "./ledger-store.js";
import { openStatement, type StatementContext } from "./own-signature.js";
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
  { sequence, missing, statement }: ChainBeginning,
): Promise<string | null> {
  if (statement === null) {
    return "is not signed: if an upgrade has just recorded it, budgetkit ledger sign-beginnings signs it";
  }
  const opened = await openStatement(context, statement);
  if ("wrong" in opened) return opened.wrong;
  const { data: signed } = claimsSchema.safeParse(opened.claims);
  const isSame = signed?.businessId === businessId && signed.sequence === sequence;
  return isSame && canonicalJson(signed.missing) === canonicalJson(missing) ? null : "is of another one";
}

/** A beginning that was signed. */
export interface SignedBeginning {
  /** Id of the business. */
  readonly businessId: string;
  /** The first entry that the chain proves. */
  readonly sequence: number;
}

export interface BeginningContext extends Pick<CheckpointContext, "sign" | "publicBaseUrl"> {
  readonly store: Pick<LedgerStore, "findLedgerBounds" | "findUnsignedBeginnings" | "signBeginning">;
  readonly clock: Clock;
}

const PAGE = 500;

/**
 * Signs where the chains begin that an upgrade of the store has recorded, of one business or of all. Whoever calls it
 * vouches for the record: only the process that has made the upgrade, or an operator.
 */
export async function signBeginnings(
  context: BeginningContext,
  businessId: string | null = null,
): Promise<readonly SignedBeginning[]> {
  if (businessId !== null) return (await signOne(context, businessId)) ?? [];
  const signed: SignedBeginning[] = [];
  for (;;) {
    const page = await context.store.findUnsignedBeginnings(PAGE);
    const before = signed.length;
    for (const id of page) signed.push(...((await signOne(context, id)) ?? []));
    if (page.length < PAGE || signed.length === before) return signed;
  }
}

/** Null = there is none to sign, or another process has just signed it. */
async function signOne(
  { store, sign, clock, publicBaseUrl: issuer }: BeginningContext,
  businessId: string,
): Promise<readonly SignedBeginning[] | null> {
  const { beginning } = await store.findLedgerBounds(businessId);
  if (beginning === null || beginning.statement !== null) return null;
  const { sequence, missing } = beginning;
  const at = toTimestamp(clock.now());
  const statement = await sign({ type: BEGINNING_TYPE, issuer, businessId, sequence, missing, at });
  const isSigned = await store.signBeginning(businessId, sequence, canonicalJson(statement));
  return isSigned ? [{ businessId, sequence }] : null;
}
