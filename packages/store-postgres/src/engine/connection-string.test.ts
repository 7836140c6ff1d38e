import { StoreUnavailable } from "@budgetkit/core/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgresTarget, postgresStore } from "../index.js";
import { type ReplicatedServer, startReplicated } from "../testing/replicated-server.js";
import { readConnectionString } from "./connection-string.js";

describe("A connection string", () => {
  it.each([
    "postgres://u:p@one:5432,two:5433/db?target_session_attrs=read-write",
    "postgresql://u:p@one,two/db",
    "postgres://one,two:5433",
    "postgres://[::1]:5432,[::2]:5432/db",
    "postgres://u@/db?host=one,two",
    "postgres://u@one/db?port=5432,5433",
  ])("refuses several hosts by naming what to use instead: %s", async (url) => {
    const refusal = /^it names several hosts: name one address .* HAProxy, a virtual IP or a DNS name$/;
    expect(() => postgresStore(url)).toThrow(refusal);
    await expect(openPostgresTarget(url)).rejects.toThrow(refusal);
  });

  it.each([
    "postgres://u:p,q@host/db",
    "postgres://u:p@q,r@host/db",
    "postgres://u:p@host/a,b?application_name=c,d",
    "postgres://u@/db?host=%2Frun%2Fpostgresql&port=6432",
  ])("accepts a comma outside of its hosts: %s", (url) => {
    expect(readConnectionString(url)).toEqual({ takesWrites: false });
  });

  it.each(["standby", "read-only", "prefer-standby", "Primary"])("refuses target_session_attrs=%s", (wanted) => {
    const refusal = `target_session_attrs is "${wanted}", and the store needs the primary: use read-write, primary or any`;
    expect(() => postgresStore(`postgres://host/db?target_session_attrs=${wanted}`)).toThrow(refusal);
  });
});

describe("target_session_attrs of one host", () => {
  let server: ReplicatedServer;

  beforeAll(async () => {
    server = await startReplicated();
    const store = postgresStore(server.url);
    await store.migrate();
    await store.close();
    await server.catchUp();
  });
  afterAll(() => server.stop());

  const reading = async (url: string, wanted: string) => {
    const store = postgresStore(`${url}&target_session_attrs=${wanted}`);
    try {
      return await store.findBusiness("1");
    } finally {
      await store.close();
    }
  };

  it.each(["read-write", "primary"])(
    "%s reads from the primary, and not from a standby (StoreUnavailable)",
    async (wanted) => {
      expect(await reading(server.url, wanted)).toBeNull();
      const refused = reading(server.standby.url, wanted);
      await expect(refused).rejects.toThrow(StoreUnavailable);
      await expect(refused).rejects.toThrow("target_session_attrs requires a server that takes writes");
    },
  );

  it("any reads from a standby", async () => {
    expect(await reading(server.standby.url, "any")).toBeNull();
  });
});
