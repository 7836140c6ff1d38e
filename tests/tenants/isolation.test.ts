import type { BlobStore, Store } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { type HostResponse, memoryBlobStore, memoryStore, SCALE } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Route } from "../../packages/core/src/http/route.js";
import { routes } from "../../packages/core/src/http/route-table.js";
import { testStores } from "../../packages/store-postgres/src/testing/test-schema.js";
import { memoryDatabase } from "../../packages/store-sqlite/src/testing/memory-database.js";
import { type Names, SAMPLES } from "../operations/operation-samples.js";
import { type Caller, covers, isKnownTo } from "./access.js";
import { type Exchange, IN_ORDER, placesOf, readEverything } from "./calls.js";
import { type AnswerText, neutralText, textWithNumbers, tracesIn, unknownLike, wholeText } from "./traces.js";
import { type AskedRequest, callerFor, makeTenantWorld, requestFor, type Tenant, type TenantWorld } from "./world.js";

/** The south sends the requests; it must not learn what the north has. The south is made first, with the same content. */
const SOUTH = "south";
const NORTH = "north";

const postgres = testStores();

/** Returns a function that opens a store with the rows that `fill` writes, each time another one. */
type FilledStores = (fill: (store: Store) => Promise<void>) => Promise<() => Promise<Store>>;

const inMemory: FilledStores = async (fill) => async () => {
  const store = memoryStore();
  await fill(store);
  return store;
};

const inSqlite: FilledStores = async (fill) => {
  const database = memoryDatabase();
  const store = sqliteStore(database);
  await fill(store);
  await store.close();
  const rows = database.serialize();
  database.close();
  return async () => sqliteStore(memoryDatabase(rows));
};

const inPostgres: FilledStores = async (fill) => {
  const { store, copy } = await postgres.open();
  await fill(store);
  await store.close();
  return copy;
};

/** A small run leaves out the store in memory, which serves tests alone. */
const STORES: Readonly<Record<string, FilledStores>> = {
  ...(SCALE === "full" ? { memory: inMemory } : {}),
  SQLite: inSqlite,
  Postgres: inPostgres,
};

const TIGHTEST_LIMIT = 10;

describe("the samples", () => {
  it("the samples cover each operation of the route table once", () => {
    expect(Object.keys(SAMPLES).sort(), "tests/operations/operation-samples.ts").toEqual(
      routes.map(({ operationId }) => operationId).sort(),
    );
  });
});

/**
 * What a credential covers is decided before the store is asked for a record, by rules that know no store. In a small run
 * SQLite has these refusals, and every caller; Postgres has the caller with the most rights, and each request once.
 */
const FULLY = SCALE === "full" ? Object.keys(STORES) : ["SQLite"];

describe.each(Object.entries(STORES))("Two businesses in one %s store", (storeName, fillStores) => {
  const closers: (() => Promise<void>)[] = [];
  let world: TenantWorld; // the south requests what is not its own
  let guessed: TenantWorld; // the north reads; the south tries to log in as the north, whose audit then has the attempts
  let busy: TenantWorld; // the south uses everything that is its own
  let calm: TenantWorld; // the south does neither
  let alone: TenantWorld; // the south is the only business
  let south: Tenant;
  let north: Tenant;
  let secret: ReadonlySet<string>; // what only the north has
  let northBefore: readonly Exchange[];
  let byThemselves: readonly Exchange[]; // what the south of `alone` reads

  beforeAll(async () => {
    const both = await worldsWith(SOUTH, NORTH);
    world = await both();
    guessed = await both();
    busy = await both();
    calm = await both();
    alone = await (await worldsWith(SOUTH))();
    south = tenantOf(world, SOUTH);
    north = tenantOf(world, NORTH);
    northBefore = await readEverything(guessed, north); // its reads of secrets are in its audit
    const credentials = north.callers.flatMap(({ credential }) => credential ?? []);
    const exchanges = northBefore.filter(({ route }) => !needsNoCredential(route));
    const headers = evidenceHeadersIn(northBefore);
    const traces = exchanges.flatMap(({ answer }) => tracesIn(answer)).filter((trace) => !headers.includes(trace));
    secret = new Set([...traces, ...credentials]);
    byThemselves = await readEverything(alone, tenantOf(alone, SOUTH));
    const drawn = await secretReadsOf(alone);
    for (const { answer } of byThemselves) {
      expect(tracesIn(answer).filter((trace) => secret.has(trace) && !drawn.has(trace))).toEqual([]);
    }
  });

  /** Returns a function that makes worlds with these businesses. Filling one takes longer than all copies of it. */
  async function worldsWith(...filled: readonly string[]): Promise<() => Promise<TenantWorld>> {
    const blobs = memoryBlobStore();
    let tenants: TenantWorld["tenants"] = new Map();
    const open = await fillStores(async (store) => {
      const original = await makeTenantWorld(store, filled, { blobs });
      await original.service.stop(); // writes the counts of usage that it still holds
      tenants = original.tenants;
    });
    return async () => {
      const store = await open();
      const made = await makeTenantWorld(store, [], { seed: 12, blobs: await copyOf(blobs) });
      closers.push(async () => {
        await made.service.stop();
        await store.close();
      });
      return { ...made, tenants };
    };
  }

  /** They name the key of the service, which all businesses share. */
  function evidenceHeadersIn(exchanges: typeof northBefore): readonly string[] {
    return exchanges
      .filter(({ route }) => route.operationId === "getEvidence")
      .map(({ answer }) => JSON.parse(answer.text).protected);
  }

  /** The audit entries of the reads of secrets. Beside the north, their ids were drawn for records of the north. */
  async function secretReadsOf({ service }: TenantWorld): Promise<ReadonlySet<string>> {
    const actor = { kind: "system", businessId: tenantOf(alone, SOUTH).names("businessId") } as const;
    const types = ["api_key.secret_read", "webhook.secret_read"] as const;
    const lists = await Promise.all(types.map((event) => service.events.list(actor, { event, limit: 100 })));
    return new Set(lists.flatMap((list) => list._unsafeUnwrap().data.map(({ id }) => id)));
  }

  afterAll(async () => {
    for (const close of closers) await close();
  });

  it("each business sees what it has", () => {
    for (const { asked, route, answer } of northBefore) {
      expect(answer.status, asked).toBe(200);
      const names = !SAMPLES[route.operationId]?.numbersAlone && !asked.includes("?");
      const isAboutBusiness = route.auth.kind !== "none" && names;
      const isShown = answer.text.includes(north.names("mark")) || tracesIn(answer).length > 0;
      if (isAboutBusiness) expect(isShown, `${asked} shows nothing of the business: ${answer.text}`).toBe(true);
    }
  });

  it("a business gets the same answers, ids and sequences, whether or not another one exists", async () => {
    const beside = await readEverything(calm, tenantOf(calm, SOUTH));
    expect(beside).toHaveLength(byThemselves.length);
    for (const [index, { asked, answer }] of byThemselves.entries()) {
      const other = beside[index]?.answer;
      expect(other && textWithNumbers(asked, other)).toEqual(textWithNumbers(asked, answer));
    }
  });

  for (const route of FULLY.includes(storeName) ? routes : []) {
    it(`${route.operationId} refuses every credential that does not cover it, whether or not the record exists`, async () => {
      if (route.auth.kind === "none") return;
      for (const caller of south.callers.filter((each) => !covers(each, route))) {
        const answers: HostResponse[] = [];
        for (const asked of refusedRequests(route)) answers.push(await world.ask(caller, route, asked));
        const [first] = answers;
        expect(first?.status, `${caller.name}: ${first?.text}`).toBe(isKnownTo(caller, route) ? 403 : 401);
        const texts = answers.map(wholeText);
        expect(texts, caller.name).toEqual(texts.map(() => texts[0]));
        for (const answer of answers) expectNothingOf(north, secret, answer, []);
      }
    });
  }

  for (const route of IN_ORDER) {
    it(`${route.operationId} answers for another business's record as for an unknown one`, async () => {
      const covered = south.callers.filter((each) => covers(each, route));
      const callers = FULLY.includes(storeName) ? covered : covered.slice(0, 1);
      for (const caller of callers) {
        for (const places of placesOf(route, south, north)) {
          const foreign = await requestAll(caller, route, places, north.names);
          const unknown = await requestAll(caller, route, places, unknownOf(north));
          expect(foreign.length).toBeGreaterThan(0);
          for (const [index, { asked, answer, named }] of foreign.entries()) {
            const other = unknown[index];
            const isFoundByPath = places.some((place) => place !== "input");
            if (isFoundByPath) expect(answer.status, `${caller.name} at ${asked}: ${answer.text}`).toBe(404);
            expect(answer.status, `${asked}: ${answer.text}`).toBeLessThan(500);
            expect(neutralText(answer, named), asked).toBe(other && neutralText(other.answer, other.named));
            expectNothingOf(north, secret, answer, named);
          }
          // More often than the tightest limit allows: the other business's limit must not be used up.
          const counts = FULLY.includes(storeName) && caller === callers[0];
          const isCounted = counts && !places.includes("input") && route.method !== "GET";
          const again = isCounted ? TIGHTEST_LIMIT : 0;
          for (let times = 0; times < again; times += 1) {
            for (const { answer } of await requestAll(caller, route, places, north.names)) {
              expect(answer.status, answer.text).toBe(404);
            }
          }
        }
      }
    });
  }

  it("a business learns nothing of another one from its own operations", async () => {
    const busySouth = tenantOf(busy, SOUTH);
    for (const route of IN_ORDER) {
      const answer = await busy.ask(callerFor(busySouth, route), route, requestFor(route, busySouth.names));
      const mustSucceed = route.method === "GET" || !route.paths[0].includes("{");
      // 409: the same body has created a record before.
      const success = SAMPLES[route.operationId]?.refusedWith ?? route.success.status;
      const expected = [success, ...(route.method === "GET" ? [] : [409])];
      if (mustSucceed) expect(expected, `${route.operationId}: ${answer.text}`).toContain(answer.status);
      expect(answer.status, `${route.operationId}: ${answer.text}`).toBeLessThan(500);
      expectNothingOf(north, secret, answer, []);
    }
  });

  it("a business sends no callback with data of another one, nor to its URLs", async () => {
    const before = busy.callbacks.length;
    await busy.service.tick();
    await busy.settle();
    const since = busy.callbacks.slice(before);
    expect(since.length).toBeGreaterThan(0);
    for (const callback of since) {
      expectNothingOf(north, secret, { status: 200, headers: {}, text: callback }, []);
    }
  });

  it("a business gets the same answers, ids and sequences, as if the other one had never called", async () => {
    // Anyone may ask for a reset of an address, as the south did in `world`: its entry is in the business of the user.
    // In a small run the next test shows alone, on Postgres, that a business is not disturbed by one that does everything.
    const disturbed = FULLY.includes(storeName) ? [world, busy] : [world];
    for (const quiet of [calm, ...disturbed.filter((each) => each !== world)]) {
      const tenant = tenantOf(quiet, NORTH);
      await quiet.service.users.requestPasswordReset({ email: tenant.names("email") });
      await quiet.settle();
    }
    const undisturbed = await useEverything(calm, NORTH);
    for (const each of disturbed) expect(await useEverything(each, NORTH)).toEqual(undisturbed);
  });

  it("a business draws the same ids and sequences for what it does, whether or not another one is busy", async () => {
    // In `calm` the north has just done everything; the south has only read.
    const besideBusy = await useEverything(calm, SOUTH);
    expect(besideBusy.join()).toContain('"sequence":');
    expect(besideBusy).toEqual(await useEverything(alone, SOUTH));
  });

  it("using every operation of two businesses reports no error", () => {
    expect([...world.errors, ...busy.errors, ...calm.errors, ...alone.errors]).toEqual([]);
  });

  /** Does everything, then reads everything. Returns the requests with their answers. */
  async function useEverything(used: TenantWorld, name: string): Promise<readonly string[]> {
    const tenant = tenantOf(used, name);
    const acts = IN_ORDER.filter(({ method }) => method !== "GET");
    const texts: string[] = [];
    const note = ({ asked, answer }: Pick<Exchange, "asked" | "answer">) => texts.push(textWithNumbers(asked, answer));
    for (const route of acts) {
      if (SAMPLES[route.operationId]?.last) {
        for (const exchange of await readEverything(used, tenant)) note(exchange);
      }
      const answer = await used.ask(callerFor(tenant, route), route, requestFor(route, tenant.names));
      note({ asked: route.operationId, answer });
      await used.settle(); // deliveries and late entries draw ids too: before the next request, not beside it
    }
    return texts;
  }

  /** Requests for a record of the south, one of the north and an unknown one, with a body that is valid and one that is not. */
  function refusedRequests(route: Route): AskedRequest[] {
    const [main] = route.paths;
    return route.paths.flatMap((pattern) =>
      [north.names, south.names, unknownOf(north)].flatMap((names) => {
        const asked = requestFor(route, south.names, () => names, { pattern });
        const isTried = SCALE === "full" || names === north.names; // in a small run: for the one that exists elsewhere
        return pattern === main || isTried ? [asked, ...(isTried ? [{ ...asked, body: [] }] : [])] : [];
      }),
    );
  }

  async function requestAll(
    caller: Caller,
    route: Route,
    places: readonly string[],
    theirs: Names,
  ): Promise<Exchange[]> {
    const exchanges: Exchange[] = [];
    const asking = route.operationId === "login" ? guessed : world;
    const queries = places.includes("input") ? SAMPLES[route.operationId]?.queries?.(theirs) : undefined;
    for (const query of queries ?? [""]) {
      for (const pattern of route.paths) {
        const named = new Set<string>();
        const noting: Names = (name) => {
          named.add(theirs(name));
          return theirs(name);
        };
        const namedBy = (place: string) => (places.includes(place) ? noting : south.names);
        const asked = requestFor(route, south.names, namedBy, { query, pattern });
        if (queries !== undefined) SAMPLES[route.operationId]?.queries?.(noting);
        exchanges.push({ asked: asked.path, route, answer: await asking.ask(caller, route, asked), named });
      }
    }
    return exchanges;
  }
});

/** Without a credential only a token in the path leads to data of a business. */
function needsNoCredential({ auth, paths: [path] }: Route): boolean {
  return auth.kind === "none" && !path.includes("{");
}

/** Fails when an answer holds data of a business that the request did not name. */
function expectNothingOf(
  { names }: Tenant,
  secret: ReadonlySet<string>,
  answer: AnswerText,
  named: Iterable<string>,
): void {
  const echoed = new Set(named);
  expect(tracesIn(answer).filter((trace) => secret.has(trace) && !echoed.has(trace))).toEqual([]);
  if (!echoed.has(names("mark"))) expect(wholeText(answer)).not.toContain(names("mark"));
}

/** Each world deletes attachments of its own. */
async function copyOf(blobs: BlobStore): Promise<BlobStore> {
  const copied = memoryBlobStore();
  const { ids } = await blobs.findBlobsBefore(Number.MAX_SAFE_INTEGER, null, 1_000);
  for (const id of ids) {
    const content = await blobs.openBlob(id);
    if (content !== null) await copied.writeBlob(id, content, 0);
  }
  return copied;
}

function unknownOf({ names }: Tenant): Names {
  return (name) => unknownLike(names(name));
}

function tenantOf(world: TenantWorld, name: string): Tenant {
  const tenant = world.tenants.get(name);
  if (tenant === undefined) throw new Error(`there is no business ${name}`);
  return tenant;
}
