import { createBudgetService, type Scope, type Store } from "@budgetkit/core";
import { drawInteger, seededRandom } from "@budgetkit/testing";
import type { WorldKind } from "./kinds.js";
import type { Status } from "./model.js";

export const STARTED_AT = Date.parse("2026-03-02T12:00:00.000Z");
export const LIMIT_PER_HOUR = 9;
export const LEAST_RETENTION_MS = 3_600_000;
export const SECRET = "a secret for the simulation, long enough";

/** The conditions of an endpoint, as the API takes them. */
interface Filter {
  readonly status?: Status[];
  readonly minimumTotal?: { readonly amount: number; readonly currency: string };
}

/** A receiver of callbacks. */
export interface Subscriber {
  readonly name: string; // as deliveries name it: `endpoint 12`
  readonly host: string;
  readonly secret: string;
  readonly delaysSeconds: readonly number[];
  readonly isOrdered: boolean; // it gets the events of a subject one after the other
  readonly filter: Filter | null; // null = every event
  touched: boolean; // true = it was changed, removed or disabled since: it may miss events
}

/** The id of the endpoint or key. */
export function idOf({ name }: Pick<Subscriber, "name">): string {
  return name.split(" ")[1] ?? "";
}

/** A business with its keys and endpoints, and what its clients have learnt from answers. */
export interface Tenant {
  readonly name: string;
  readonly mark: string; // in every text that its clients write, and in nothing that others may see
  readonly businessId: string;
  readonly key: Credential;
  readonly limited: Credential; // a key with few requests an hour
  readonly spare: Credential; // a key that is suspended and revoked
  readonly budgets: string[]; // ids that clients were given
  readonly links: Link[];
  readonly linkEndings: LinkEnding[];
  readonly subscribers: Subscriber[];
}

/** A public link that a client was given. */
export interface Link {
  readonly budgetId: string;
  readonly token: string;
  readonly made: { readonly startStep: number; readonly endStep: number };
}

/** A request of a client that ends the links of a budget. */
export interface LinkEnding {
  readonly budgetId: string;
  readonly startStep: number;
  endStep: number | null; // null = without an answer
}

export interface Credential {
  readonly id: string;
  readonly key: string;
  /** The step since which it is refused; null = it is valid. After `endingSince` it may be either. */
  refusedFrom: number | null;
  endingSince: number | null;
}

const SCOPES: readonly Scope[] = ["READ_BUDGETS", "WRITE_BUDGETS", "READ_CUSTOMERS", "WRITE_CUSTOMERS", "WEBHOOKS"];
const KEY_SCHEDULE = [0, 60, 300, 1_800, 7_200, 43_200];
const KEY_SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const FILTERS: readonly Filter[] = [
  { status: ["APPROVED", "EXPIRED", "DELETED"] },
  { minimumTotal: { amount: 150, currency: "USD" } },
];

/** Two businesses, made by a service of their own. `variant` decides which endpoints they have. */
export async function makeTenants(store: Store, kind: WorldKind, variant: number): Promise<Tenant[]> {
  const clock = { now: () => STARTED_AT, monotonicMs: () => 0 };
  const service = createBudgetService({
    store,
    secret: SECRET,
    clock,
    random: seededRandom(variant),
    onError: () => {},
  });
  const random = seededRandom(variant + 7);
  const draw = (below: number) => drawInteger(random, below);
  const hasKeyCallbacks = draw(2) === 0 ? "A" : "B";
  const tenants: Tenant[] = [];
  for (const name of ["A", "B"]) {
    const { id: businessId } = (await service.businesses.create({ name: `Firm ${name}` }))._unsafeUnwrap();
    const actor = { kind: "system", businessId } as const;
    const keyOf = async (label: string, rest: object): Promise<Credential> => {
      const made = (await service.keys.create(actor, { name: label, scopes: [...SCOPES], ...rest }))._unsafeUnwrap();
      return { id: made.id, key: made.key, refusedFrom: null, endingSince: null };
    };
    const subscribers: Subscriber[] = [];
    const host = `hook-key-${name.toLowerCase()}.example`;
    const callbacks = name === hasKeyCallbacks ? { webhookUrl: `https://${host}/`, webhookSecret: KEY_SECRET } : {};
    const spare = await keyOf("spare", callbacks);
    if (name === hasKeyCallbacks) {
      const settings = { secret: KEY_SECRET, delaysSeconds: KEY_SCHEDULE, isOrdered: false, filter: null };
      subscribers.push({ name: `key ${spare.id}`, host, ...settings, touched: false });
    }
    for (let count = 1 + draw(kind.mostEndpoints); count > 0; count -= 1) {
      const settings = drawEndpoint(`hook-${name.toLowerCase()}${count}.example`, kind, draw);
      const made = (await service.webhooks.create(actor, requestOf(settings)))._unsafeUnwrap();
      subscribers.push({ name: `endpoint ${made.id}`, secret: made.secret, ...settings, touched: false });
    }
    tenants.push({
      name,
      mark: `~mark-of-${name}~`,
      businessId,
      key: await keyOf("main", { rateLimitPerHour: 10_000 }),
      limited: await keyOf("limited", { rateLimitPerHour: LIMIT_PER_HOUR }),
      spare,
      budgets: [],
      links: [],
      linkEndings: [],
      subscribers,
    });
  }
  return tenants;
}

type EndpointSettings = Pick<Subscriber, "host" | "delaysSeconds" | "isOrdered" | "filter">;

function drawEndpoint(host: string, kind: WorldKind, draw: (below: number) => number): EndpointSettings {
  const delaysSeconds = kind.schedules[draw(kind.schedules.length)] ?? [0];
  const isOrdered = draw(2) === 0;
  const filter = kind.hasFilters && draw(3) === 0 ? (FILTERS[draw(2)] ?? null) : null;
  return { host, delaysSeconds, isOrdered, filter };
}

function requestOf({ host, delaysSeconds, isOrdered, filter }: EndpointSettings) {
  return {
    url: `https://${host}/`,
    retryPolicy: { delaysSeconds: [...delaysSeconds] },
    ordering: isOrdered ? ("subject" as const) : ("none" as const),
    ...(filter === null ? {} : { filter: structuredClone(filter), events: ["budget.*" as const] }),
  };
}
