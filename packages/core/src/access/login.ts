import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Instant } from "../kernel/clock.js";
import type { Problem } from "../kernel/problem.js";
import { admitLogin, recordLogin } from "../limits/rate-limiter.js";
import type { AccessContext } from "./access-context.js";
import { isHasherOverloaded } from "./hashing-queue.js";
import { type LoginView, openSession } from "./session.js";
import { emailKeyOf, type User } from "./user.js";

/** Source: contract, Login. Whether the email is one is not checked: an unknown one is refused anyway. */
export const loginSchema = z
  .object({
    email: z.string().min(1).max(320),
    password: z.string().min(1).max(1_024),
  })
  .meta({ id: "Login" });
export type LoginInput = z.output<typeof loginSchema>;

/**
 * Opens a session for a user who knows the password.
 * Errors: rate-limited before any hashing, after 10 failures of an account or 50 attempts of an address in 15 minutes;
 * unauthorized for an unknown email and for a wrong password alike, after the same work, and for one that was replaced
 * while it was being checked; unavailable when too many logins are under way.
 */
export async function login(
  context: AccessContext,
  input: LoginInput,
  clientAddress: string | null,
  now: Instant,
): Promise<Result<LoginView, Problem>> {
  const emailKey = emailKeyOf(input.email);
  const verdict = await admitLogin(context.limits, emailKey, clientAddress, now);
  if (!verdict.admitted) {
    return err({ kind: "rate-limited", limit: verdict.limit, remaining: 0, resetAtMs: verdict.resetAt });
  }
  try {
    const view = await openByPassword(context, emailKey, input.password, now);
    if (view === null) return err({ kind: "unauthorized" });
    await recordLogin(context.limits, emailKey, now);
    return ok(view);
  } catch (error) {
    if (isHasherOverloaded(error)) return err({ kind: "unavailable", retryAfterSeconds: 1 });
    throw error;
  }
}

/**
 * Checks the password anew when another hash took the place of the one it was checked against: that may be one of the
 * same password, made by another login, or of the next one, after a reset.
 */
async function openByPassword(
  context: AccessContext,
  emailKey: string,
  password: string,
  now: Instant,
): Promise<LoginView | null> {
  const user = await findByPassword(context, emailKey, password);
  if (user === null) return null;
  return (await openSession(context, user, now)) ?? openByPassword(context, emailKey, password, now);
}

async function findByPassword(context: AccessContext, emailKey: string, password: string): Promise<User | null> {
  const user = await context.store.findUserByEmail(emailKey);
  if (user === null) {
    await context.hasher.hash(password); // takes as long as a verification, so that the time tells nothing
    return null;
  }
  if (!(await context.hasher.verify(password, user.passwordHash))) return null;
  return withRenewedHash(context, user, password);
}

/** Now is the only time the password is known. Losing to whoever else replaces the hash shows when the session opens. */
async function withRenewedHash(context: AccessContext, user: User, password: string): Promise<User> {
  if (!context.hasher.needsRehash(user.passwordHash)) return user;
  const passwordHash = await context.hasher.hash(password);
  const outcome = await context.store.replacePasswordHash(user.businessId, user.id, user.passwordHash, passwordHash);
  return outcome === "written" ? { ...user, passwordHash } : user;
}
