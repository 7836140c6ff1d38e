import type { HostResponse } from "@budgetkit/core/testing";
import type { Route } from "../packages/core/src/http/route.js";
import { routes } from "../packages/core/src/http/route-table.js";
import { SAMPLES } from "./operation-samples.js";
import { callerFor, requestFor, type Tenant, type TenantWorld } from "./tenant-world.js";

/**
 * Reads, writes, deletions, and then what ends the caller's own session. Reads come before a budget names a customer
 * whom nobody knows, and is shown with that name from then on.
 */
export const IN_ORDER = [...routes].sort((a, b) => rankOf(a) - rankOf(b));

function rankOf({ method, operationId }: Route): number {
  if (SAMPLES[operationId]?.last) return 3;
  return method === "GET" ? 0 : method === "DELETE" ? 2 : 1;
}

/** One request and what it was answered. */
export interface Told {
  readonly asked: string;
  readonly route: Route;
  readonly answer: HostResponse;
  readonly named: ReadonlySet<string>; // what the request named of somebody else's
}

/** Everything that a business can read, with every query of the samples. */
export async function readEverything(world: TenantWorld, tenant: Tenant): Promise<Told[]> {
  const told: Told[] = [];
  for (const route of routes.filter(({ method }) => method === "GET")) {
    const queries = SAMPLES[route.operationId]?.queries?.(tenant.names) ?? [];
    for (const query of ["", ...queries]) {
      const asked = requestFor(route, tenant.names, () => tenant.names, { query });
      const answer = await world.ask(callerFor(tenant, route), route, asked);
      told.push({ asked: asked.path, route, answer, named: new Set() });
    }
  }
  return told;
}

/** A token in a path is itself the credential: whoever has it may use it. */
const BEARER_PARAMETERS = ["token"];

/** Every choice of places in which a request can name what is somebody else's: parameters of the path, and its input. */
export function placesOf(route: Route, own: Tenant, other: Tenant): string[][] {
  const sample = SAMPLES[route.operationId];
  const inputBy = ({ names }: Tenant) => JSON.stringify([sample?.body?.(own.names, names), sample?.queries?.(names)]);
  const parameters = [...route.paths[0].matchAll(/\{(\w+)\}/g)].flatMap(([, name = ""]) => name);
  const places = parameters.filter((name) => {
    const known = sample?.params?.[name] ?? name;
    // A number that everybody has, such as that of a first version, is nobody's.
    return !BEARER_PARAMETERS.includes(name) && own.names(known) !== other.names(known);
  });
  if (inputBy(own) !== inputBy(other)) places.push("input");
  const choices: string[][] = [[]];
  for (const place of places) choices.push(...choices.map((choice) => [...choice, place]));
  return choices.filter((choice) => choice.length > 0);
}
