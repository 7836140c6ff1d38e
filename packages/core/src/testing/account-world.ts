import { authenticateUser } from "../access/authenticate.js";
import { login } from "../access/login/login.js";
import type { UserMail } from "../access/mailer.js";
import { createUser } from "../access/manage-users.js";
import { accessWorld } from "./access-world.js";

export const PASSWORD = "correct horse";

/** Ana, who owns the business, with a mailer that keeps its mails. */
export async function accountWorld() {
  const mails: UserMail[] = [];
  const world = await accessWorld({
    mailer: {
      send: async (mail) => {
        mails.push(mail);
      },
    },
  });
  const { context, clock } = world;
  const ana = {
    businessId: "1",
    email: "ana@example.com",
    password: PASSWORD,
    displayName: "Ana",
    role: "OWNER",
    emailVerified: true,
  } as const;
  const { id } = (await createUser(context, ana))._unsafeUnwrap();
  const enter = (input: { email?: string; password?: string; totp?: string; recoveryCode?: string } = {}) =>
    login(context, { email: ana.email, password: PASSWORD, ...input }, null, clock.now());
  /** A session: the caller it makes, and whether it is still live. */
  const session = async () => {
    const { access_token: token } = (await enter())._unsafeUnwrap();
    const actor = (await authenticateUser(context, token, clock.now()))._unsafeUnwrap();
    return { actor, isLive: async () => (await authenticateUser(context, token, clock.now())).isOk() };
  };
  const call = () => ({ clientAddress: null, now: clock.now() });
  const settled = async () => {
    await Promise.all(context.underWay);
  };
  return { ...world, mails, userId: String(id), enter, session, call, settled };
}
