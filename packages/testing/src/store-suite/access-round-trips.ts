import assert from "node:assert/strict";
import {
  type ApiKey,
  type Business,
  EMPTY_PROFILE,
  insertBusinessCommit,
  insertKeyCommit,
  insertUserCommit,
  KEY_STATUSES,
  ROLES,
  replaceKeyCommit,
  SCOPES,
  type Session,
  type User,
} from "@budgetkit/core/store";
import { beginSession } from "../begin-session.js";
import { aBusiness, anApiKey, aUser, FIXTURE_TIME } from "../fixtures.js";
import { type Cases, END_OF_2199, MAX, ODD_TEXT } from "./extremes.js";
import type { Suite } from "./suite.js";

const KEYS: Cases<ApiKey> = {
  "of plain values": {},
  "with everything set": {
    description: ODD_TEXT,
    scopes: SCOPES,
    rateLimitPerHour: MAX,
    allowedIps: ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1"],
    expiresAt: END_OF_2199,
    webhookUrl: "https://example.com/hook?a=b&c=%20#ñ",
    sealedWebhookSecret: "v1.".padEnd(500, "x"),
    previousKeyHash: "previous",
    previousKeyExpiresAt: FIXTURE_TIME + 1,
    revokedAt: FIXTURE_TIME + 2,
    lastUsedAt: FIXTURE_TIME + 3,
  },
  "without scopes": { scopes: [] },
  "that no address may use, which is not the same as any": { allowedIps: [] },
  "with an empty description, which is not the same as none": { description: "" },
  "with the longest name": { name: "ñ".repeat(255) },
  "with 100 ranges of addresses": { allowedIps: Array.from({ length: 100 }, (_, index) => `10.${index}.0.0/16`) },
};

const USERS: Cases<User> = {
  "of plain values": {},
  "with everything set": { avatarUrl: "https://example.com/a.png", displayName: ODD_TEXT },
  "whose email is not verified": { emailVerified: false },
  "who is invited": {
    passwordHash: "",
    oneTimeToken: { purpose: "invitation", hash: "hash-of-token", expiresAt: END_OF_2199 },
  },
  "who is disabled, with a second factor": {
    disabledAt: FIXTURE_TIME,
    secondFactor: { sealedSecret: "v1.ñ", confirmedAt: null, lastStep: 0, recoveryHashes: [] },
  },
  "of a late version": { version: 1_000_000 },
  "with a long password hash": { passwordHash: `$scrypt$ln=17,r=8,p=1$${"A+/".repeat(60)}` },
};

const BUSINESSES: Cases<Business> = {
  "of plain values": {},
  "with odd text as its name": { name: ODD_TEXT },
  "in another time zone": { timeZone: "America/Argentina/Buenos_Aires", tier: "ENTERPRISE" },
  "of the largest id": { id: String(MAX) },
  "with a profile": { profile: { ...EMPTY_PROFILE, legalName: ODD_TEXT, address: "One\nTwo", currency: "ARS" } },
  "of a late version": { version: 1_000_000 },
};

const SESSIONS: Cases<Session> = {
  "that is live": {},
  "that has ended": { endedAt: FIXTURE_TIME + 1 },
  "that lasts until 2199": { refreshExpiresAt: END_OF_2199 },
};

export function accessRoundTripCases({ describe, it }: Suite): void {
  describe("an API key comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(KEYS)) {
      it(name, async (store) => {
        const key = anApiKey(overrides);
        await store.commit(insertBusinessCommit(aBusiness()));
        await store.commit(insertKeyCommit(key));
        assert.deepEqual(await store.findKey("1", "20"), key);
        assert.deepEqual(await store.findKeyByHash(key.keyHash), { ...key, tier: "STANDARD" });
        assert.deepEqual((await store.listKeys("1", 10, 0)).entries, [key]);
      });
    }

    for (const status of KEY_STATUSES) {
      it(`when it becomes ${status}`, async (store) => {
        await store.commit(insertKeyCommit(anApiKey()));
        const next = anApiKey({ ...KEYS["with everything set"], version: 2, status, lastUsedAt: null });
        await store.commit(replaceKeyCommit(next, 1));
        assert.deepEqual(await store.findKey("1", "20"), next);
      });
    }
  });

  describe("a user comes back as they went in", () => {
    for (const [name, overrides] of Object.entries(USERS)) {
      it(name, async (store) => {
        const user = aUser(overrides);
        await store.commit(insertUserCommit(user));
        assert.deepEqual(await store.findUser("1", "30"), user);
        assert.deepEqual(await store.findUserByEmail(user.emailKey), user);
      });
    }

    for (const role of ROLES) {
      it(`as ${role}`, async (store) => {
        await store.commit(insertUserCommit(aUser({ role })));
        assert.equal((await store.findUser("1", "30"))?.role, role);
      });
    }
  });

  describe("a business comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(BUSINESSES)) {
      it(name, async (store) => {
        const business = aBusiness(overrides);
        await store.commit(insertBusinessCommit(business));
        assert.deepEqual(await store.findBusiness(business.id), business);
      });
    }
  });

  describe("a session comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(SESSIONS)) {
      it(name, async (store) => {
        const session = await beginSession(store, overrides);
        assert.deepEqual(await store.findSession("1", "40"), session);
      });
    }
  });
}
