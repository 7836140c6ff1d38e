import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { BudgetService, Business, Problem } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { DEFAULT_BUSINESS_NAME, type Settings } from "../settings/settings.js";
import { printable } from "../terminal/complaint.js";
import { StartFailure } from "../terminal/failures.js";
import { ownCommand } from "../terminal/own-command.js";
import { problemText } from "../terminal/problem-text.js";

/** The user who can log in after the first start. */
export interface FirstOwner {
  readonly businessId: string;
  readonly businessName: string;
  readonly email: string;
  readonly password: FirstPassword;
}

/** Where the operator finds the password: in the environment, in a file, or on the terminal. */
export type FirstPassword =
  | { readonly kind: "given" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "shown"; readonly password: string };

/** How the budgets of a business are numbered that the command line makes for a first start or a demo. */
export const NUMBER_PATTERN = "Q-{year}-{seq:4}";

/** How long a first start may take before another process takes it over. */
const LEASE_MS = 60_000;
const LOOKS_AGAIN_MS = 50;

/** An idempotency claim outside every business: their ids are greater than 1. */
const FIRST_START = { businessId: "1", key: "first start" };

/**
 * Creates a business and its owner when no user exists yet; null = one does. Of several processes that start at once
 * one creates them and the others wait for it.
 */
export async function makeFirstOwner(
  service: BudgetService,
  store: Store,
  settings: Settings,
): Promise<FirstOwner | null> {
  for (;;) {
    if (await service.users.exist()) return null;
    const claimId = randomUUID();
    const now = Date.now();
    const lease = { fingerprint: "", leaseUntil: now + LEASE_MS, expiresAt: now + LEASE_MS };
    if ((await store.claimKey({ ...FIRST_START, ...lease, claimId }, now)).kind === "claimed") {
      try {
        return (await service.users.exist()) ? null : await makeOwner(service, settings);
      } finally {
        await store.releaseClaim(FIRST_START.businessId, FIRST_START.key, claimId).catch(() => {}); // it lapses by itself
      }
    }
    await pause(LOOKS_AGAIN_MS);
  }
}

/** A warning when BUDGETKIT_BUSINESS_NAME is not the name of the first business: a later start does not rename it. */
export async function warnOfName(
  { businesses }: BudgetService,
  { BUDGETKIT_BUSINESS_NAME: name }: Settings,
): Promise<string | null> {
  if (name === DEFAULT_BUSINESS_NAME) return null;
  const first = (await businesses.list({ after: null })).unwrapOr([])[0];
  if (first === undefined || first.name === name) return null;
  return (
    `BUDGETKIT_BUSINESS_NAME is ignored, because it applies to the first start only: the business ${first.id} keeps ` +
    `the name ${printable(first.name)}. To rename it: ${ownCommand()} business update ${first.id} --name …`
  );
}

/** A password before its owner exists. */
interface PendingPassword {
  confirm(): FirstPassword;
  discard(): void;
}

const GIVEN: PendingPassword = { confirm: () => ({ kind: "given" }), discard: () => {} };

/**
 * Keeps a generated password: for the terminal, or in a file that only its owner reads, since output that is not on a
 * terminal ends in logs. The file gets its name once the owner exists, so another process's file stays.
 * Throws a StartFailure when the file cannot be written.
 */
function keepPassword(settings: Settings, password: string): PendingPassword {
  if (process.stderr.isTTY === true) return { confirm: () => ({ kind: "shown", password }), discard: () => {} };
  const path = passwordPath(settings);
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    writeFileSync(draft, `${password}\n`, { mode: 0o600, flag: "wx" });
    return {
      confirm: () => {
        renameSync(draft, path);
        return { kind: "file", path };
      },
      discard: () => rmSync(draft, { force: true }),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFailure(`The owner's password cannot be kept: ${reason}. Set BUDGETKIT_ADMIN_PASSWORD instead.`);
  }
}

/** Beside the database file. An in-memory database gets a temporary folder; a shared one, the folder of local data. */
function passwordPath({ DATABASE_URL: database }: Settings): string {
  if (database.kind === "file") return `${database.path}-owner-password`;
  if (database.kind === "postgres") return resolve("data", "owner-password");
  return join(mkdtempSync(join(tmpdir(), "budgetkit-")), "owner-password");
}

/** Removes the password of an in-memory database, which ends with the process. */
export function endFirstOwner(owner: FirstOwner | null, { DATABASE_URL: database }: Settings): void {
  if (database.kind !== "memory" || owner?.password.kind !== "file") return;
  rmSync(dirname(owner.password.path), { recursive: true, force: true });
}

async function makeOwner(service: BudgetService, settings: Settings): Promise<FirstOwner | null> {
  const { BUDGETKIT_ADMIN_EMAIL: email, BUDGETKIT_ADMIN_PASSWORD: given } = settings;
  const password = given ?? randomBytes(18).toString("base64url");
  const kept = given === null ? keepPassword(settings, password) : GIVEN;
  const { id: businessId, name } = await firstBusiness(service, settings.BUDGETKIT_BUSINESS_NAME);
  const numbered = await service.businesses.update({ kind: "system", businessId }, { numberPattern: NUMBER_PATTERN });
  if (numbered.isErr()) throw new StartFailure(reasonOf(numbered.error));
  const owner = { businessId, email, password, displayName: "Owner", role: "OWNER" } as const;
  const user = await service.users.create(owner);
  if (user.isOk()) return { businessId, businessName: name, email, password: kept.confirm() };
  kept.discard();
  if (user.error.kind === "conflict") return null; // a process whose claim had lapsed created the owner
  throw new StartFailure(reasonOf(user.error));
}

/** The business that a first start made before it was killed, or a new one. Called only while no user exists. */
async function firstBusiness({ businesses }: BudgetService, name: string): Promise<Business> {
  const [unfinished] = (await businesses.list({ after: null })).unwrapOr([]);
  if (unfinished?.name === name) return unfinished;
  const made = await businesses.create({ name });
  if (made.isErr()) throw new StartFailure(reasonOf(made.error));
  return made.value;
}

function reasonOf(problem: Problem): string {
  return `The first user could not be created: ${problemText(problem)}`;
}
