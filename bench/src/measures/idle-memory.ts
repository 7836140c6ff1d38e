import { setTimeout as sleep } from "node:timers/promises";
import { get } from "../data/get-request.js";
import { type Benchmark, recorded } from "../harness/benchmark.js";
import { withFolder } from "../harness/folders.js";
import { sendAll } from "../harness/load.js";
import { withServers } from "../harness/server-process.js";
import { FULL } from "../harness/settings.js";
import { copyOfOurDatabase, createKey, type OurDatabase } from "../ours/database.js";
import { openService } from "../ours/service.js";

const KEYS_OF_BUSINESS = 500; // a business may have 1,000
const REST_MS = 120_000; // V8 collects what an idle process has left after a minute or so
const MEGABYTE = 1_000_000;

export const idleMemory: Benchmark = {
  title: "resident memory of an idle service that has seen many keys",
  run: (settings) =>
    withFolder(async (folder) => {
      const ours = await copyOfOurDatabase(settings.budgets, folder);
      const path = "/v1/api/public/budgets?limit=1";
      const requests = (await createKeys(ours, settings.keys)).map((key) => get(path, key));
      const servers = [
        { kind: "hono", path: ours.path, limiter: "file" },
        { kind: "hono", path: ours.path, limiter: "memory" },
      ] as const;
      return withServers(servers, settings, async (started) => {
        for (const { url } of started) {
          const statuses = await sendAll({ url, requests, connections: settings.connections });
          if (statuses.get(200) !== settings.keys) throw new Error(`answers: ${JSON.stringify([...statuses])}`);
        }
        await sleep(settings.keys === FULL.keys ? REST_MS : 1_000);
        const conditions = await Promise.all(started.map((server) => server.condition()));
        const sizes = conditions.map(({ residentBytes }) => residentBytes / MEGABYTE);
        const [inFile = Number.NaN, inMemory = Number.NaN] = sizes;
        const keys = `${settings.keys.toLocaleString("en-US")} keys seen`;
        return {
          measured: [],
          figures: [
            settings.keys === FULL.keys
              ? { target: "idleMemory", value: inFile }
              : recorded(`memory, ${keys}, windows in a file`, inFile, "MB"),
            recorded(`memory, ${keys}, windows in memory`, inMemory, "MB"),
          ],
        };
      });
    }),
};

/** Keys of many businesses. */
async function createKeys({ path }: OurDatabase, count: number): Promise<readonly string[]> {
  const { service, close } = openService(path, "memory");
  const keys: string[] = [];
  while (keys.length < count) {
    const business = await service.businesses.create({ name: `Seen ${keys.length}`, tier: "ENTERPRISE" });
    const { id } = business._unsafeUnwrap();
    const wave = Array.from({ length: Math.min(KEYS_OF_BUSINESS, count - keys.length) }, (_, index) => `seen ${index}`);
    keys.push(...(await Promise.all(wave.map((name) => createKey(service, id, name)))));
  }
  await close();
  return keys;
}
