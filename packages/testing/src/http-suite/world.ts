import {
  type Actor,
  type BudgetService,
  type BudgetServiceOptions,
  createBudgetService,
  type Random,
  scryptHasher,
} from "@budgetkit/core";
import type { BlobStore, Role, Scope, Store } from "@budgetkit/core/store";
import { type ManualClock, manualClock } from "../manual-clock.js";
import { memoryBlobStore } from "../memory-blob-store.js";
import { memoryStore } from "../memory-store/index.js";
import { plainPdfs } from "../plain-pdfs.js";
import { seededRandom } from "../seeded-random.js";
import { type Client, clientOf } from "./client.js";
import { checkEventData } from "./event-data.js";
import type { RunningHost, Send, StartHost } from "./host.js";

export const START = "2026-03-02T12:00:00.000Z";
export const PASSWORD = "correct horse battery";
export const OLGA = { email: "olga@example.com", password: PASSWORD }; // the owner, whom the first request of `owner` makes
export const PUBLIC_BASE_URL = "https://quotes.example/v1";

/** A service with two businesses, behind a host, at a clock that stands still. */
export interface World {
  readonly service: BudgetService;
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly clock: ManualClock;
  readonly send: Send;
  readonly business: Actor; // may do everything in the first business
  readonly otherBusiness: Actor;
  /** Failures that the service reported. */
  readonly errors: readonly unknown[];
  readonly anonymous: Client;
  readonly full: KeyClient; // a key that may read and write
  readonly reader: Client; // a key that may read
  readonly writer: Client; // a key that may write
  readonly stranger: Client; // a key of the other business that may read and write
  readonly owner: Client; // users of the first business, logged in
  readonly member: Client;
  readonly otherOwner: Client;
  /** A client with another key of the first business. */
  withKey(settings?: KeySettings): Promise<KeyClient>;
  as(credential: string): Client;
}

/** A client together with its key. */
export interface KeyClient extends Client {
  readonly id: string;
  readonly key: string;
}

type KeySettings = Partial<Parameters<BudgetService["keys"]["create"]>[1]>;

export interface WorldOptions {
  readonly makeStore?: () => Promise<Store>;
  readonly seed?: number;
  readonly service?: Partial<Omit<BudgetServiceOptions, "store" | "secret" | "clock" | "random">>;
}

const BOTH: Scope[] = ["READ_BUDGETS", "WRITE_BUDGETS"];

/** Builds a world, runs `body` in it, and closes it even when `body` fails. */
export async function inWorld(
  start: StartHost,
  options: WorldOptions,
  body: (world: World) => Promise<void>,
): Promise<void> {
  const store = await (options.makeStore ?? (async () => memoryStore()))();
  const clock = manualClock(START);
  const random = seededRandom(options.seed ?? 1);
  const errors: unknown[] = [];
  const blobs = memoryBlobStore();
  const service = createBudgetService({
    store,
    clock,
    random,
    secret: "a secret for tests that is long enough",
    publicBaseUrl: PUBLIC_BASE_URL,
    passwordHasher: cheapHasher(random),
    onError: (error) => errors.push(error),
    blobs,
    pdf: plainPdfs,
    ...options.service,
  });
  const host = await start(service);
  try {
    const world = await furnish({ service, store, blobs, clock, errors }, host);
    await body(world);
    await checkEventData(store, [world.business.businessId, world.otherBusiness.businessId]);
  } finally {
    await host.close();
    await service.stop();
    await store.close();
  }
}

/** The cost that protects passwords would only make tests wait. */
function cheapHasher(random: Random) {
  return scryptHasher(random, { cost: 2 });
}

async function furnish(
  base: Pick<World, "service" | "store" | "blobs" | "clock" | "errors">,
  { send }: RunningHost,
): Promise<World> {
  const { service } = base;
  const business = await makeBusiness(service, "Carpintería Norte");
  const otherBusiness = await makeBusiness(service, "Talleres del Sur");
  const as = (credential: string) => clientOf(send, bearer(credential));
  const keyFor = async (actor: Actor, settings: KeySettings = {}) => {
    const created = await service.keys.create(actor, { name: "Web shop", scopes: BOTH, ...settings });
    const { id, key } = created._unsafeUnwrap();
    return { ...as(key), id, key };
  };
  const lazyKey = (actor: Actor, settings: KeySettings = {}) =>
    lazyClient(send, async () => (await keyFor(actor, settings)).key);
  const lazyUser = ({ businessId }: Actor, name: string, role: Role) =>
    lazyClient(send, async () => {
      const email = `${name}@example.com`;
      (await service.users.create({ businessId, email, password: PASSWORD, displayName: name, role }))._unsafeUnwrap();
      return (await service.sessions.login({ email, password: PASSWORD }))._unsafeUnwrap().access_token;
    });
  return {
    ...base,
    send,
    business,
    otherBusiness,
    as,
    anonymous: clientOf(send, {}),
    full: await keyFor(business),
    reader: lazyKey(business, { scopes: ["READ_BUDGETS"] }),
    writer: lazyKey(business, { scopes: ["WRITE_BUDGETS"] }),
    stranger: lazyKey(otherBusiness),
    owner: lazyUser(business, "olga", "OWNER"),
    member: lazyUser(business, "mara", "MEMBER"),
    otherOwner: lazyUser(otherBusiness, "otto", "OWNER"),
    withKey: (settings) => keyFor(business, settings),
  };
}

/** A client whose credential is made by its first request: most cases use one or two of those that the world offers. */
function lazyClient(send: Send, makeCredential: () => Promise<string>): Client {
  let credential: Promise<string> | null = null;
  return clientOf(async (request) => {
    credential ??= makeCredential();
    return send({ ...request, headers: { ...bearer(await credential), ...request.headers } });
  }, {});
}

function bearer(credential: string) {
  return { authorization: `Bearer ${credential}` };
}

async function makeBusiness(service: BudgetService, name: string): Promise<Actor> {
  const business = await service.businesses.create({ name });
  return { kind: "system", businessId: business._unsafeUnwrap().id };
}
