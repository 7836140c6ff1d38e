import { queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";

const MAX_PAYLOAD = 8_192;

/** The address that programs call. The ledger's checkpoint names it in little; the description of the interface is large. */
export const serviceAddressQuery = queryOptions({
  queryKey: ["business", "service-address"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => {
    const issuer = await api.events.checkpoint({ signal }).then(issuerOf, () => null);
    return issuer ?? addressIn(await api.getOpenApi({ signal }));
  },
});

function issuerOf({ payload }: { readonly payload: string }): string | null {
  if (payload.length > MAX_PAYLOAD) return null;
  try {
    const { issuer }: { issuer?: unknown } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return typeof issuer === "string" ? issuer : null;
  } catch {
    return null;
  }
}

function addressIn(description: object): string {
  const { servers }: { servers?: readonly { readonly url?: string }[] } = description;
  return servers?.[0]?.url ?? location.origin;
}
