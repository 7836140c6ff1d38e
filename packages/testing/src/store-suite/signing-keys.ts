import assert from "node:assert/strict";
import type { SigningKey } from "@budgetkit/core/store";
import { FIXTURE_TIME } from "../fixtures.js";
import { END_OF_2199, ODD_TEXT } from "./extremes.js";
import { allAtOnce, type Suite } from "./suite.js";

export function signingKeyCases({ describe, it, itDurably, itWithHost }: Suite): void {
  describe("signing keys", () => {
    it("lists signing keys by their number, unchanged", async (store) => {
      assert.deepEqual(await store.listSigningKeys(), []);
      const keys = [aSigningKey(), aSigningKey({ number: 2, kid: ODD_TEXT, createdAt: END_OF_2199 })];
      for (const key of [...keys].reverse()) assert.equal(await store.insertSigningKey(key), true);
      assert.deepEqual(await store.listSigningKeys(), keys);
    });

    it("lets exactly one of 20 writers of a signing key's number through", async (store) => {
      const outcomes = await allAtOnce(20, (index) => store.insertSigningKey(aSigningKey({ kid: `k${index}` })));
      assert.equal(outcomes.filter((isWritten) => isWritten).length, 1);
      const [key, ...others] = await store.listSigningKeys();
      assert.deepEqual([key?.kid, others], [`k${outcomes.indexOf(true)}`, []]);
    });

    itDurably("signing keys outlive the process", async (store, reopen) => {
      await store.insertSigningKey(aSigningKey());
      assert.deepEqual(await (await reopen()).listSigningKeys(), [aSigningKey()]);
    });

    itWithHost("signing keys follow the transaction of a host", async (store, host) => {
      const first = await host.begin();
      await store.withConnection(first.connection).insertSigningKey(aSigningKey());
      assert.equal((await store.withConnection(first.connection).listSigningKeys()).length, 1);
      await first.rollback();
      assert.deepEqual(await store.listSigningKeys(), []);
      const second = await host.begin();
      assert.equal(await store.withConnection(second.connection).insertSigningKey(aSigningKey()), true);
      await second.commit();
      assert.deepEqual(await store.listSigningKeys(), [aSigningKey()]);
    });
  });
}

function aSigningKey(overrides: Partial<SigningKey> = {}): SigningKey {
  return {
    number: 1,
    kid: "k1",
    publicKey: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    sealedPrivateKey: "v1.sealed",
    createdAt: FIXTURE_TIME,
    ...overrides,
  };
}
