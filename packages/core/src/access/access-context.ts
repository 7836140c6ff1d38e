import type { RunCommit } from "../commit/run-commit.js";
import type { Clock, Instant } from "../kernel/clock.js";
import type { IdSource } from "../kernel/ids.js";
import type { RunOneAtATime } from "../kernel/one-at-a-time.js";
import type { Random } from "../kernel/random.js";
import type { ServiceSecrets } from "../kernel/secret-box.js";
import type { RateLimitStore } from "../limits/rate-limit-store.js";
import type { StorageQuota, StorageStore } from "../limits/storage-quota.js";
import type { AccessCondition, AccessWrite } from "./access-commits.js";
import type { AccessStore } from "./access-store.js";
import type { Mailer } from "./mailer.js";
import type { PasswordHasher } from "./password.js";

export interface AccessContext {
  readonly store: AccessStore & StorageStore;
  readonly commit: RunCommit<AccessWrite, AccessCondition>;
  /** The most that each business may store. */
  readonly quota: StorageQuota;
  /** Stores the rate-limit windows; may be another database than `store`. */
  readonly limits: RateLimitStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdSource;
  readonly secrets: ServiceSecrets;
  readonly hasher: PasswordHasher;
  /**
   * Runs what hashes passwords of an account one after the other, for logins of known networks, other logins, acts on the
   * own account, one-time tokens and the operator each. So an account takes five slots of the hash queue at most, and an
   * attacker with one of these ways delays none of the others.
   */
  readonly byAccount: RunOneAtATime;
  /** Sends invitations and tokens of password resets; null = the caller delivers them. */
  readonly mailer: Mailer | null;
  /** Work that no response waits for. */
  readonly underWay: Set<Promise<void>>;
  /** The host's page that sets a password with a one-time token; null = the service's own. */
  readonly passwordPageUrl: string | null;
  readonly publicBaseUrl: string;
  /** Allows webhook URLs with private addresses, for development. */
  readonly allowPrivateDestinations: boolean;
  /** Cancels the pending deliveries to a key that stopped receiving callbacks. */
  readonly cancelCallbacks: (businessId: string, keyId: string, now: Instant) => Promise<void>;
  /** Writes of lastUsedAt in flight, as `business/key/minute`. */
  readonly usesUnderWay: Set<string>;
  /** Receives failures of background work. */
  readonly onError: (error: unknown) => void;
}

/** Runs work that no response waits for. `stop` of the service waits until it has ended. */
export function inBackground({ underWay, onError }: AccessContext, work: () => Promise<void>): void {
  const running = work()
    .catch(onError)
    .finally(() => underWay.delete(running));
  underWay.add(running);
}
