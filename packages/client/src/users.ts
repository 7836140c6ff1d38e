import type { Call, CallOptions, OnceOptions } from "./call.js";
import { entriesOf } from "./entries.js";
import type { Operations } from "./operations.js";
import type { Account, Invitation, InviteUser, Page, PageQuery, UpdateUser } from "./schemas.js";
import type { Transport } from "./transport.js";

/** The users of the business. Needs a login with the role OWNER or ADMIN. An id may also be the number of the user. */
export interface Users {
  /** Creates a user, who sets a password by the link. Only this response contains it. */
  invite(input: InviteUser, options?: OnceOptions): Call<Invitation>;
  /** Replaces the invitation of a user who has not joined yet. Only this response contains the link. */
  resendInvitation(id: UserId, options?: CallOptions): Call<Invitation>;
  get(id: UserId, options?: CallOptions): Call<Account>;
  /** One page, in the order of their creation. */
  list(query?: PageQuery, options?: CallOptions): Call<Page<Account>>;
  /** All users, in the order of their creation; fetches the pages on demand. */
  each(query?: PageQuery, options?: CallOptions): AsyncGenerator<Account, void, undefined>;
  /** Changes the given fields. Who becomes disabled has no session left. */
  update(id: UserId, changes: UpdateUser, options?: CallOptions): Call<Account>;
  /** Deletes a user. The sessions end, and the email is free again. */
  remove(id: UserId, options?: CallOptions): Call<Operations["removeUser"]["answer"]>;
  /** Ends all sessions of a user, who may log in again. */
  endSessions(id: UserId, options?: CallOptions): Call<Account>;
  /** Removes the second factor of a user who lost it. The sessions end; your own is removed by `auth.disableTotp`. */
  removeSecondFactor(id: UserId, options?: CallOptions): Call<Account>;
}

type UserId = string | number;

export function createUsers({ send }: Transport): Users {
  const of = (id: UserId) => ({ path: { userId: String(id) } });
  const list: Users["list"] = (query, options) => send("listUsers", { query }, options);
  return {
    invite: (body, options) => send("inviteUser", { body }, options),
    resendInvitation: (id, options) => send("resendInvitation", of(id), options),
    get: (id, options) => send("getUser", of(id), options),
    list,
    each: (query = {}, options) => entriesOf((page) => list(page, options), query),
    update: (id, body, options) => send("updateUser", { ...of(id), body }, options),
    remove: (id, options) => send("removeUser", of(id), options),
    endSessions: (id, options) => send("endUserSessions", of(id), options),
    removeSecondFactor: (id, options) => send("removeUserSecondFactor", of(id), options),
  };
}
