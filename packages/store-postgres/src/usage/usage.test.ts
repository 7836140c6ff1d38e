import { StoreUnavailable } from "@budgetkit/core/store";
import { aUsageRow, FIXTURE_TIME as NOW, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { postgresStore } from "../index.js";
import { cuttingProxy } from "../testing/cutting-proxy.js";
import { testSchema } from "../testing/test-schema.js";

const CUTS = 100;
const SEED = 7;

describe("usage that is added while connections are cut", () => {
  const schema = testSchema();

  it(`counts usage once when it is acknowledged, and never twice (${CUTS} cuts, seed ${SEED})`, async () => {
    const direct = await schema.freshStore();
    const random = seededRandom(SEED);
    const proxy = await cuttingProxy(schema.url, () => new DataView(random.bytes(4).buffer).getUint32(0) / 2 ** 32);
    const store = postgresStore(proxy.url, { schema: schema.schema });
    const acknowledged: boolean[] = [];

    async function add(): Promise<void> {
      while (proxy.cuts < CUTS) {
        const index = acknowledged.push(false) - 1;
        try {
          await store.addUsage([aUsageRow({ at: NOW + index, requests: 1 })]);
          acknowledged[index] = true;
        } catch (error) {
          expect(error).toBeInstanceOf(StoreUnavailable);
        }
      }
    }

    await Promise.all([add(), add(), add(), add()]);
    proxy.relent();
    await store.close();
    await proxy.close();
    const slice = { grain: "minute", from: NOW, until: NOW + acknowledged.length } as const;
    const { moments } = await direct.sumUsage("1", "20", [slice]);
    const counted = new Map(moments.map(({ at, requests }) => [at - NOW, requests]));
    expect(acknowledged.filter((isKnown, index) => isKnown && counted.get(index) !== 1)).toEqual([]);
    expect(moments.filter(({ requests }) => requests > 1)).toEqual([]);
    expect(acknowledged).toContain(true);
  });
});
