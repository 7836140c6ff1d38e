import { queryOptions } from "@tanstack/react-query";
import { ownFetch } from "../start/api.js";
import { mount } from "../start/mount.js";
import { readFailure } from "./read-failure.js";

export type Role = "OWNER" | "ADMIN" | "MEMBER";

/** Who is logged in. A host's users may have neither a name nor an email that the service knows. */
export interface Session {
  readonly userId: string;
  readonly businessId: string;
  readonly role: Role;
  readonly email: string | null;
  readonly displayName: string | null;
  /** What a MEMBER may do; null = everything that the public interface has. */
  readonly scopes: readonly string[] | null;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly totp?: string;
  readonly recoveryCode?: string;
}

const address = `${mount.base}/session`;

/** Null = nobody is logged in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Session | null> => {
    const response = await ownFetch(address, { signal });
    if (response.status === 401) return null;
    return sessionOf(response);
  },
});

/** Rejects with a BudgetkitError: a wrong password, a code that is missing, too many attempts. */
export async function logIn(credentials: Credentials): Promise<Session> {
  const body = JSON.stringify(credentials);
  return sessionOf(await ownFetch(address, { method: "POST", body, headers: { "content-type": "application/json" } }));
}

export async function logOut(): Promise<void> {
  await ownFetch(address, { method: "DELETE" });
}

async function sessionOf(response: Response): Promise<Session> {
  if (!response.ok) throw await readFailure(response);
  const { data }: { data: Session } = await response.json();
  return data;
}
