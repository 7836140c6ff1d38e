import {
  aBudget,
  aBusiness,
  anApiKey,
  anEndpoint,
  anEvent,
  FIXTURE_BUSINESS,
  manualClock,
  memoryStore,
  seededRandom,
} from "@budgetkit/testing";
import { insertBusinessCommit, insertKeyCommit } from "../access/access-commits.js";
import { insertBudgetCommit } from "../budgets/budget-commits.js";
import type { DomainEvent } from "../events/event.js";
import type { Actor } from "../kernel/actor.js";
import { createIdSource } from "../kernel/ids.js";
import { deriveSecrets, type ServiceSecrets } from "../kernel/secret-box.js";
import { secretBinding } from "../signing/webhook-secret.js";
import { DEFAULT_DELAYS_SECONDS } from "../webhooks/deliveries/retry-schedule.js";
import type { Delivery } from "../webhooks/delivery.js";
import { createDispatcher } from "../webhooks/dispatch/dispatcher.js";
import { MAX_ENDPOINTS, type WebhookEndpoint } from "../webhooks/endpoint.js";
import { insertEndpointCommit } from "../webhooks/endpoint-commits.js";
import type { SendOutcome, SendRequest, WebhookSender } from "../webhooks/transport/sender.js";
import type { WebhookContext } from "../webhooks/webhook-context.js";
import { aUserActor } from "./access-world.js";
import { commitOn } from "./commit-on.js";

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
export const ENDPOINT_URL = "https://hooks.example/endpoint";
export const KEY_URL = "https://hooks.example/key";

/** The responses of a scripted receiver. A promise that never settles is a receiver that never responds. */
export type Script = (request: SendRequest, call: number) => SendOutcome | Promise<SendOutcome>;

export function answered(responseCode: number, retryAfterSeconds: number | null = null): SendOutcome {
  return { kind: "answered", responseCode, responseBody: "", retryAfterSeconds, durationMs: 12 };
}

/** Shared: deriving keys takes most of the time of a small test. */
const secrets: ServiceSecrets = deriveSecrets(["a secret for tests"], seededRandom(7));

/** A webhook context on a memory store with one business, a manual clock and a scripted receiver. */
export async function webhookWorld(overrides: Partial<WebhookContext> = {}, script: Script = () => answered(204)) {
  const store = memoryStore();
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const random = seededRandom(7);
  const errors: unknown[] = [];
  const sent: SendRequest[] = [];
  let answer = script;
  const sender: WebhookSender = {
    send: async (request) => {
      sent.push(request);
      return answer(request, sent.length);
    },
  };
  const context: WebhookContext = {
    store,
    commit: commitOn(store),
    limits: store,
    clock,
    random,
    ids: createIdSource(store),
    secrets,
    sender,
    allowPrivateDestinations: false,
    retentionMs: 30 * 24 * 3_600_000,
    quota: { budgets: null, bytes: null },
    concurrency: { total: 50, perBusiness: 50, perSubscriber: 5 },
    logger: null,
    onError: (error) => errors.push(error),
    wake: () => {},
    readBudget: async () => null,
    tellDisabled: async () => [],
    ...overrides,
  };
  await store.commit(insertBusinessCommit(aBusiness()));
  let budgets = 0;
  return {
    store,
    clock,
    context,
    errors,
    sent,
    dispatcher: createDispatcher(context),
    owner: aUserActor("OWNER"),
    member: aUserActor("MEMBER"),
    /** Changes the responses of the receiver. */
    answerWith: (next: Script) => {
      answer = next;
    },
    /** An endpoint in the store, with {@link SECRET}. */
    endpoint: async (settings: Partial<WebhookEndpoint> = {}): Promise<WebhookEndpoint> => {
      const id = settings.id ?? "60";
      const endpoint = anEndpoint({
        id,
        url: ENDPOINT_URL,
        retryDelaysSeconds: DEFAULT_DELAYS_SECONDS,
        sealedSecret: secrets.box.seal(
          SECRET,
          secretBinding(settings.businessId ?? FIXTURE_BUSINESS, { kind: "endpoint", id }),
        ),
        createdAt: clock.now(),
        updatedAt: clock.now(),
        ...settings,
      });
      await store.commit(insertEndpointCommit(endpoint, MAX_ENDPOINTS));
      return endpoint;
    },
    /** A key with a webhookUrl and {@link SECRET}. */
    key: async (settings: Parameters<typeof anApiKey>[0] = {}) => {
      const id = settings.id ?? "20";
      const sealedWebhookSecret = secrets.box.seal(SECRET, secretBinding(FIXTURE_BUSINESS, { kind: "key", id }));
      const key = anApiKey({ id, webhookUrl: KEY_URL, sealedWebhookSecret, ...settings });
      await store.commit(insertKeyCommit(key));
      const actor: Actor = { kind: "key", businessId: key.businessId, id, scopes: key.scopes };
      return { key, actor };
    },
    /** Commits events of one business, as a change of a budget would. */
    commit: async (...events: Partial<DomainEvent>[]) => {
      budgets += 1;
      const id = String(800 + budgets);
      const drafts = events.map((event, index) =>
        anEvent({ id: `${id}-${index}`, occurredAt: clock.now(), subjectId: id, ...event }),
      );
      const budget = aBudget({ businessId: events[0]?.businessId ?? FIXTURE_BUSINESS, id });
      await store.commit(insertBudgetCommit(budget, { events: drafts }));
    },
    /** Every delivery of the business, the oldest first. */
    deliveries: async (): Promise<Delivery[]> => {
      const everything = { subscriber: null, status: null, eventType: null, limit: 10_000, offset: 0 };
      return [...(await store.listDeliveries(FIXTURE_BUSINESS, everything)).entries].reverse();
    },
  };
}
export type WebhookWorld = Awaited<ReturnType<typeof webhookWorld>>;
