import type { Store } from "@budgetkit/core";
import { type HostResponse, memoryStore } from "@budgetkit/core/testing";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Route } from "../packages/core/src/http/route.js";
import { routes } from "../packages/core/src/http/route-table.js";
import { testSchemas } from "../packages/store-postgres/src/testing/test-schema.js";
import { type Names, SAMPLES } from "./operation-samples.js";
import { type Caller, covers } from "./tenant-access.js";
import { IN_ORDER, placesOf, readEverything, type Told } from "./tenant-calls.js";
import {
  type AnswerText,
  neutralText,
  tracesIn,
  unknownLike,
  wholeText,
  withoutDrawnNumbers,
} from "./tenant-traces.js";
import { callerFor, makeTenantWorld, requestFor, type Tenant, type TenantWorld } from "./tenant-world.js";

/** The south asks; what the north has is what it must not find out. The south was there first, with the same content. */
const SOUTH = "south";
const NORTH = "north";

const postgres = testSchemas();

const STORES: Readonly<Record<string, () => Store>> = {
  memory: () => memoryStore(),
  SQLite: () => sqliteStore(":memory:"),
  Postgres: () => postgres.open(),
};

const TIGHTEST_LIMIT = 10;

describe("the samples", () => {
  it("are one for each operation of the route table", () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(routes.map(({ operationId }) => operationId).sort());
  });
});

describe.each(Object.entries(STORES))("Two businesses in one %s store", (_name, makeStore) => {
  const opened: Store[] = [];
  let world: TenantWorld; // in which the south asks for what is not its own
  let busy: TenantWorld; // the same in which it uses everything that is its own
  let calm: TenantWorld; // the same in which it does neither
  let alone: TenantWorld; // the same without the north
  let south: Tenant;
  let north: Tenant;
  let secret: ReadonlySet<string>; // whatever the north alone has
  let northBefore: readonly Told[];

  beforeAll(async () => {
    const make = async (...filled: string[]) => {
      const store = makeStore();
      opened.push(store);
      return makeTenantWorld(store, filled);
    };
    world = await make(SOUTH, NORTH);
    busy = await make(SOUTH, NORTH);
    calm = await make(SOUTH, NORTH);
    alone = await make(SOUTH);
    south = tenantOf(world, SOUTH);
    north = tenantOf(world, NORTH);
    northBefore = await readEverything(world, north);
    for (const other of [busy, calm]) await readEverything(other, tenantOf(other, NORTH));
    const credentials = north.callers.flatMap(({ credential }) => credential ?? []);
    const told = northBefore.filter(({ route }) => !isForEverybody(route));
    secret = new Set([...told.flatMap(({ answer }) => tracesIn(answer)), ...credentials]);
    for (const { answer } of await readEverything(alone, tenantOf(alone, SOUTH))) {
      expect(tracesIn(answer).filter((trace) => secret.has(trace))).toEqual([]);
    }
  });

  afterAll(async () => {
    for (const store of opened) await store.close();
  });

  it("show themselves what they have", () => {
    for (const { asked, route, answer } of northBefore) {
      expect(answer.status, asked).toBe(200);
      const names = !SAMPLES[route.operationId]?.numbersAlone && !asked.includes("?");
      const isAboutBusiness = route.auth.kind !== "none" && names;
      const isTold = answer.text.includes(north.names("mark")) || tracesIn(answer).length > 0;
      if (isAboutBusiness) expect(isTold, `${asked} tells nothing of the business: ${answer.text}`).toBe(true);
    }
  });

  it("are told the same whether or not there is another one", async () => {
    // `alone` was read once while it was made.
    await readEverything(calm, tenantOf(calm, SOUTH));
    const beside = await readEverything(calm, tenantOf(calm, SOUTH));
    const byThemselves = await readEverything(alone, tenantOf(alone, SOUTH));
    for (const [index, { asked, answer }] of byThemselves.entries()) {
      const other = beside[index]?.answer;
      expect(other && withoutDrawnNumbers(other), asked).toEqual(withoutDrawnNumbers(answer));
    }
  });

  for (const route of routes) {
    it(`${route.operationId} lets in nobody whose credential does not cover it, whatever exists`, async () => {
      if (route.auth.kind === "none") return;
      for (const caller of south.callers.filter((each) => !covers(each, route))) {
        const isKnown = caller.credential !== null && (route.auth.kind === "key") === (caller.role === null);
        const answers: HostResponse[] = [];
        for (const names of [south.names, north.names, unknownOf(north)]) {
          for (const pattern of route.paths) {
            const asked = requestFor(route, south.names, () => names, { pattern });
            answers.push(await world.ask(caller, route, asked), await world.ask(caller, route, { ...asked, body: [] }));
          }
        }
        for (const answer of answers) {
          expect(answer.status, `${caller.name}: ${answer.text}`).toBe(isKnown ? 403 : 401);
          expect(wholeText(answer), caller.name).toBe(wholeText(answers[0] ?? answer));
          expectNothingOf(north, secret, answer, []);
        }
      }
    });
  }

  for (const route of IN_ORDER) {
    it(`${route.operationId} takes what another business has for what nobody has`, async () => {
      for (const caller of south.callers.filter((each) => covers(each, route))) {
        for (const places of placesOf(route, south, north)) {
          const foreign = await tellAll(caller, route, places, north.names);
          const unknown = await tellAll(caller, route, places, unknownOf(north));
          expect(foreign.length).toBeGreaterThan(0);
          for (const [index, { asked, answer, named }] of foreign.entries()) {
            const other = unknown[index];
            const isFoundByPath = places.some((place) => place !== "input");
            if (isFoundByPath) expect(answer.status, `${caller.name} at ${asked}: ${answer.text}`).toBe(404);
            expect(answer.status, `${asked}: ${answer.text}`).toBeLessThan(500);
            expect(neutralText(answer, named), asked).toBe(other && neutralText(other.answer, other.named));
            expectNothingOf(north, secret, answer, named);
          }
          // Once more than any limit of few a minute allows: it must not be the other business's that is used up.
          const again = places.includes("input") || route.method === "GET" ? 0 : TIGHTEST_LIMIT;
          for (let times = 0; times < again; times += 1) {
            for (const { answer } of await tellAll(caller, route, places, north.names)) {
              expect(answer.status, answer.text).toBe(404);
            }
          }
        }
      }
    });
  }

  it("are told nothing of the other one by what they do on their own", async () => {
    const busySouth = tenantOf(busy, SOUTH);
    for (const route of IN_ORDER) {
      const answer = await busy.ask(callerFor(busySouth, route), route, requestFor(route, busySouth.names));
      const mustSucceed = route.method === "GET" || !route.paths[0].includes("{");
      // What was made before by the same body may be in the way of another one: 409.
      const expected = [route.success.status, ...(route.method === "GET" ? [] : [409])];
      if (mustSucceed) expect(expected, `${route.operationId}: ${answer.text}`).toContain(answer.status);
      expect(answer.status, `${route.operationId}: ${answer.text}`).toBeLessThan(500);
      expectNothingOf(north, secret, answer, []);
    }
  });

  it("send no callback that tells of the other one, nor to its addresses", async () => {
    const before = busy.callbacks.length;
    await busy.service.tick();
    await busy.service.webhooks.tick();
    const since = busy.callbacks.slice(before);
    expect(since.length).toBeGreaterThan(0);
    for (const callback of since) {
      expectNothingOf(north, secret, { status: 200, headers: {}, text: callback }, []);
    }
  });

  it("are answered as if the other one had never called", async () => {
    const acts = IN_ORDER.filter(({ method }) => method !== "GET");
    const useAll = async (used: TenantWorld) => {
      const told = await readEverything(used, tenantOf(used, NORTH));
      const done: string[] = [];
      for (const route of acts) {
        const tenant = tenantOf(used, NORTH);
        const answer = await used.ask(callerFor(tenant, route), route, requestFor(route, tenant.names));
        done.push(`${route.operationId}: ${neutralText(answer, [])}`);
      }
      return { told, done };
    };
    const undisturbed = await useAll(calm);
    for (const disturbed of [await useAll(world), await useAll(busy)]) {
      for (const [index, { asked, answer }] of disturbed.told.entries()) {
        const calmly = undisturbed.told[index]?.answer;
        expect(withoutDrawnNumbers(answer), asked).toEqual(calmly && withoutDrawnNumbers(calmly));
      }
      expect(disturbed.done).toEqual(undisturbed.done);
    }
  });

  it("break nothing", () => {
    expect([...world.errors, ...busy.errors, ...calm.errors, ...alone.errors]).toEqual([]);
  });

  async function tellAll(caller: Caller, route: Route, places: readonly string[], theirs: Names): Promise<Told[]> {
    const told: Told[] = [];
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
        told.push({ asked: asked.path, route, answer: await world.ask(caller, route, asked), named });
      }
    }
    return told;
  }
});

/** Nothing of any business is read without a credential, but by a token in the path. */
function isForEverybody({ auth, paths: [path] }: Route): boolean {
  return auth.kind === "none" && !path.includes("{");
}

/** Fails when an answer holds anything of a business that the caller did not name itself. */
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

function unknownOf({ names }: Tenant): Names {
  return (name) => unknownLike(names(name));
}

function tenantOf(world: TenantWorld, name: string): Tenant {
  const tenant = world.tenants.get(name);
  if (tenant === undefined) throw new Error(`there is no business ${name}`);
  return tenant;
}
