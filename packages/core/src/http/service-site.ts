import type { Role, Scope } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { isAllowed } from "../kernel/ip-allow-list.js";
import { clientAddressOf } from "./headers/client-address.js";
import type { HttpContext } from "./http-context.js";
import type { ApiRequest } from "./message.js";

/** A user as the service knows them at this moment. */
export interface SignedInUser {
  /** Id of the user, with `resolveUser` in the host's system. */
  readonly userId: string;
  /** Id of the business. */
  readonly businessId: string;
  /** What the user may do in the business. */
  readonly role: Role;
  /** What the role may do on the public API; null = everything. */
  readonly scopes: readonly Scope[] | null;
  /** null = the user is of the host's system. */
  readonly email: string | null;
  /** null = the user is of the host's system. */
  readonly displayName: string | null;
}

/** What a web page needs to know that is served beside the service, as that of `@budgetkit/dashboard` is. */
export interface ServiceSite {
  /** The address under which the service is mounted. */
  readonly publicBaseUrl: string;
  /** `form`: users log in at the service; `host`: `resolveUser` decides. */
  readonly session: "form" | "host";
  /** The time of the service. */
  now(): Instant;
  /** The address of the client, behind trusted proxies too; null = unknown. */
  clientAddress(request: ApiRequest): string | null;
  /** True when a trusted proxy received the request over HTTPS. */
  isForwardedHttps(request: ApiRequest): boolean;
  /** The user of an access token or of `resolveUser`; null = not signed in. Rejects when the store or `resolveUser` fails. */
  findUser(request: ApiRequest): Promise<SignedInUser | null>;
  /** Reports a failure that no response describes. */
  report(error: unknown, requestId: string): void;
}

export function serviceSite(context: HttpContext): ServiceSite {
  const { access, clock, trustedProxies, resolveUser, memberScopes, ready, onError } = context;
  return {
    publicBaseUrl: access.publicBaseUrl,
    session: resolveUser === null ? "form" : "host",
    now: () => clock.now(),
    clientAddress: (request) => clientAddressOf(request, trustedProxies),
    isForwardedHttps: (request) =>
      isAllowed(request.peerAddress, trustedProxies) && lastOf(request.header("x-forwarded-proto")) === "https",
    findUser: async (request) => {
      await ready();
      const { findUser } = await import("./pipeline/authorize-request.js");
      const found = await findUser({ context, request, now: clock.now() });
      if (found.isErr()) return null;
      const { id, businessId, role } = found.value;
      const stored = resolveUser === null ? await access.store.findUser(businessId, id) : null;
      return {
        userId: id,
        businessId,
        role,
        scopes: role === "MEMBER" ? memberScopes : null,
        email: stored?.email ?? null,
        displayName: stored?.displayName ?? null,
      };
    },
    report: onError,
  };
}

/** The entry of the nearest proxy. */
function lastOf(header: string | null): string | null {
  return header?.split(",").at(-1)?.trim().toLowerCase() ?? null;
}
