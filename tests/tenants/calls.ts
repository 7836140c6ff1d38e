import type { HostResponse } from "@budgetkit/testing";
import type { Route } from "../../packages/core/src/http/route.js";
import { routes } from "../../packages/core/src/http/route-table.js";
import { SAMPLES } from "../operations/operation-samples.js";
import { callerFor, requestFor, type Tenant, type TenantWorld } from "./world.js";

/**
 * Reads, writes, deletions, and last what ends the caller's own session. Reads come first, because a later write names
 * a customer that is not in the catalog.
 */
export const IN_ORDER = [...routes].sort((a, b) => rankOf(a) - rankOf(b));

function rankOf({ method, operationId }: Route): number {
  if (SAMPLES[operationId]?.last) return 3;
  return method === "GET" ? 0 : method === "DELETE" ? 2 : 1;
}

/** One request and its answer. */
export interface Exchange {
  readonly asked: string;
  readonly route: Route;
  readonly answer: HostResponse;
  readonly named: ReadonlySet<string>; // what the request names of another business
}

/** Everything that a business can read, with every query of the samples. */
export async function readEverything(world: TenantWorld, tenant: Tenant): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const route of routes.filter(({ method }) => method === "GET")) {
    const queries = SAMPLES[route.operationId]?.queries?.(tenant.names) ?? [];
    for (const query of ["", ...queries]) {
      const asked = requestFor(route, tenant.names, () => tenant.names, { query });
      const answer = await world.ask(callerFor(tenant, route), route, asked);
      exchanges.push({ asked: asked.path, route, answer, named: new Set() });
    }
  }
  return exchanges;
}

/** A token in a path is itself the credential. */
const BEARER_PARAMETERS = ["token"];

/** Every set of places in which a request can name another business's record: parameters of the path, and its input. */
export function placesOf(route: Route, own: Tenant, other: Tenant): string[][] {
  const sample = SAMPLES[route.operationId];
  const inputBy = ({ names }: Tenant) => JSON.stringify([sample?.body?.(own.names, names), sample?.queries?.(names)]);
  const parameters = [...route.paths[0].matchAll(/\{(\w+)\}/g)].flatMap(([, name = ""]) => name);
  const places = parameters.filter((name) => {
    const known = sample?.params?.[name] ?? name;
    // A value that both businesses have, such as the number of a revision, names no record of the other one.
    return !BEARER_PARAMETERS.includes(name) && own.names(known) !== other.names(known);
  });
  if (inputBy(own) !== inputBy(other)) places.push("input");
  const choices: string[][] = [[]];
  for (const place of places) choices.push(...choices.map((choice) => [...choice, place]));
  return choices.filter((choice) => choice.length > 0);
}
