import type { ApiKey } from "../../access/api-key.js";
import type { DomainEvent, EventType, Subscriber } from "../../events/event.js";
import type { Scope } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { type CallToSign, createSigner, type Signer } from "../../signing/signature.js";
import { openSecrets, type SealedSecrets, secretBinding } from "../../signing/webhook-secret.js";
import type { WebhookEndpoint } from "../endpoint.js";
import { selects } from "../filters/selection.js";
import type { WebhookContext } from "../webhook-context.js";
import type { Subscribers } from "../webhook-store.js";
import { DEFAULT_DELAYS_SECONDS } from "./retry-schedule.js";

/** A subscriber with the data that a call needs. */
export interface Subscription {
  readonly businessId: string;
  readonly subscriber: Subscriber;
  readonly version: number; // of the key or the endpoint
  readonly url: string;
  readonly allowedIps: readonly string[] | null; // null = any public address
  readonly delaysSeconds: readonly number[];
  readonly endpoint: WebhookEndpoint | null; // null = an API key
  /** True when the subscriber may get events of this type. */
  covers(type: EventType): boolean;
  /** The secrets that sign at `now`, the current one first. Throws an Error when the current one cannot be decrypted. */
  secretsAt(now: Instant): readonly [string, ...string[]];
  /** The headers of a call, signed with the secrets at its time. Throws as `secretsAt` does. */
  sign(call: CallToSign): Record<string, string>;
}

/** Each event is of one of these groups, by the beginning of its name. */
const READERS = {
  budget: ["READ_BUDGETS", "WRITE_BUDGETS"],
  customer: ["READ_CUSTOMERS", "WRITE_CUSTOMERS"],
  product: ["READ_PRODUCTS", "WRITE_PRODUCTS"],
} as const satisfies Readonly<Record<GroupOf<EventType>, readonly Scope[]>>;

type GroupOf<Type extends string> = Type extends `${infer Group}.${string}` ? Group : never;

function groupOf(type: EventType): GroupOf<EventType> {
  if (type.startsWith("budget.")) return "budget";
  return type.startsWith("customer.") ? "customer" : "product";
}

/** True while a key is ACTIVE, not expired, and has a webhookUrl. */
export function receivesCallbacks(key: ApiKey, now: Instant): key is ApiKey & { readonly webhookUrl: string } {
  return key.status === "ACTIVE" && key.webhookUrl !== null && (key.expiresAt === null || now < key.expiresAt);
}

/** The subscribers that get an event: endpoints by their events and their filter, keys by their scopes. */
export function subscribersOf(
  event: Pick<DomainEvent, "type" | "data">,
  { endpoints, keys }: Subscribers,
  now: Instant,
): readonly Recipient[] {
  return [
    ...endpoints
      .filter((endpoint) => selects(endpoint, event))
      .map(({ id, retryDelaysSeconds, ordering }) => ({
        subscriber: { kind: "endpoint", id } as const,
        delaysSeconds: retryDelaysSeconds,
        isOrdered: ordering === "subject",
      })),
    ...keys
      .filter((key) => receivesCallbacks(key, now) && mayRead(key, event.type))
      .map(({ id }) => ({
        subscriber: { kind: "key", id } as const,
        delaysSeconds: DEFAULT_DELAYS_SECONDS,
        isOrdered: false,
      })),
  ];
}

/** A subscriber of an event, with its retry schedule. */
export interface Recipient {
  readonly subscriber: Subscriber;
  readonly delaysSeconds: readonly number[];
  readonly isOrdered: boolean; // the events of one subject, one after the other
}

/** WEBHOOKS covers every event; the other scopes cover the events of their group. */
function mayRead({ scopes }: ApiKey, type: EventType): boolean {
  const readers: readonly Scope[] = READERS[groupOf(type)];
  return scopes.some((scope) => scope === "WEBHOOKS" || readers.includes(scope));
}

/** The current state of a subscriber; null = it gets no deliveries now. */
export async function findSubscription(
  context: WebhookContext,
  businessId: string,
  { kind, id }: Subscriber,
  now: Instant,
): Promise<Subscription | null> {
  if (kind === "key") {
    const key = await context.store.findKey(businessId, id);
    return key !== null && receivesCallbacks(key, now) ? keySubscription(context, key) : null;
  }
  const endpoint = await context.store.findEndpoint(businessId, id);
  return endpoint?.status === "ACTIVE" ? endpointSubscription(context, endpoint) : null;
}

/** A key's allowedIps limit the use of the key, not the destination of its callbacks. */
export function keySubscription(context: WebhookContext, key: ApiKey & { readonly webhookUrl: string }): Subscription {
  const { businessId, id, previousSealedWebhookSecret: previous, previousWebhookSecretUntil: previousUntil } = key;
  const subscriber = { kind: "key", id } as const;
  return {
    businessId,
    subscriber,
    version: key.version,
    url: key.webhookUrl,
    allowedIps: null,
    delaysSeconds: DEFAULT_DELAYS_SECONDS,
    endpoint: null,
    covers: (type) => mayRead(key, type),
    ...signing(context, { current: key.sealedWebhookSecret, previous, previousUntil }, businessId, subscriber),
  };
}

/** Also for DISABLED endpoints, which can be tested. It covers all that was fanned out to it, even by a former filter. */
export function endpointSubscription(context: WebhookContext, endpoint: WebhookEndpoint): Subscription {
  const { businessId, id, previousSealedSecret: previous, previousSecretUntil: previousUntil } = endpoint;
  const subscriber = { kind: "endpoint", id } as const;
  return {
    businessId,
    subscriber,
    version: endpoint.version,
    url: endpoint.url,
    allowedIps: endpoint.allowedIps,
    delaysSeconds: endpoint.retryDelaysSeconds,
    endpoint,
    covers: () => true,
    ...signing(context, { current: endpoint.sealedSecret, previous, previousUntil }, businessId, subscriber),
  };
}

function signing(
  { secrets: { box } }: WebhookContext,
  sealed: SealedSecrets,
  businessId: string,
  subscriber: Subscriber,
): Pick<Subscription, "secretsAt" | "sign"> {
  const secretsAt = (now: Instant) => openSecrets(box, sealed, secretBinding(businessId, subscriber), now);
  let signer: Signer | null = null; // null = not used yet
  let signsUntil = 0;
  return {
    secretsAt,
    sign: (call) => {
      if (signer === null || call.sentAt >= signsUntil) {
        signer = createSigner(secretsAt(call.sentAt));
        const { previousUntil } = sealed;
        const inGrace = previousUntil !== null && call.sentAt < previousUntil;
        signsUntil = inGrace ? previousUntil : Number.POSITIVE_INFINITY;
      }
      return signer(call);
    },
  };
}
