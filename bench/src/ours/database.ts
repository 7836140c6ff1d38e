import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BudgetService } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { insertBudgetCommit } from "@budgetkit/core/store";
import { outcomeOf } from "@budgetkit/testing";
import { customers, products, sampleBudget } from "../data/sample-budgets.js";
import { cacheFolder } from "../harness/folders.js";
import { openService } from "./service.js";

/** A database of one business with many budgets, whose ids follow one another. */
export interface OurDatabase {
  readonly path: string; // or the address
  readonly businessId: string;
  readonly firstId: number;
  readonly budgets: number;
  readonly keys: readonly string[]; // API keys that no limit stops
}

/** To be raised when what is filled in changes. */
const FORMAT = 2;
const KEYS = 100;
const WAVE = 2_048;
const HARDLY_A_LIMIT = 1_000_000_000;

/** The database of that many budgets: the one of an earlier run, or a new one where there is none that fits. */
export async function ourDatabase(budgets: number): Promise<OurDatabase> {
  const path = join(cacheFolder(), `budgetkit-${FORMAT}-${budgets}.db`);
  const manifest = `${path}.json`;
  removeFiles(`${path}-limits`);
  if (existsSync(manifest) && (await hasTheSchema(path))) return JSON.parse(readFileSync(manifest, "utf8"));
  removeFiles(path);
  const database = await fill(path, budgets);
  writeFileSync(`${manifest}.new`, JSON.stringify(database));
  renameSync(`${manifest}.new`, manifest);
  return database;
}

/** The same in a file that may be written to. */
export async function copyOfOurDatabase(budgets: number, folder: string): Promise<OurDatabase> {
  const database = await ourDatabase(budgets);
  const path = join(folder, "budgetkit.db");
  copyFileSync(database.path, path);
  return { ...database, path };
}

/** A file that an older state of the package made has another schema. */
async function hasTheSchema(path: string): Promise<boolean> {
  const { store, close } = openService(path, "memory");
  try {
    await store.migrate();
    return true;
  } catch {
    return false;
  } finally {
    await close();
  }
}

async function fill(path: string, budgets: number): Promise<OurDatabase> {
  const { service, store, close } = openService(path, "memory");
  const database = { path, ...(await fillStore(service, store, budgets)) };
  await close();
  return database;
}

/** Adds a business with keys, a catalog and that many budgets. */
export async function fillStore(
  service: BudgetService,
  store: Store,
  budgets: number,
): Promise<Omit<OurDatabase, "path">> {
  await store.migrate();
  const business = (await service.businesses.create({ name: "Benchmarks", tier: "ENTERPRISE" }))._unsafeUnwrap();
  const businessId = business.id;
  const keys: string[] = [];
  for (let index = 0; index < KEYS; index += 1) keys.push(await createKey(service, businessId, `key ${index}`));
  const system = { kind: "system", businessId } as const;
  for (const customer of customers) (await service.customers.create(system, customer))._unsafeUnwrap();
  for (const product of products) (await service.products.create(system, product))._unsafeUnwrap();
  const firstId = await store.reserveIds(businessId, budgets);
  await fillBudgets(store, { businessId, firstId, budgets });
  return { businessId, firstId, budgets, keys };
}

async function fillBudgets(
  store: Store,
  { businessId, firstId, budgets }: Pick<OurDatabase, "businessId" | "firstId" | "budgets">,
): Promise<void> {
  for (let done = 0; done < budgets; done += WAVE) {
    const wave = Array.from({ length: Math.min(WAVE, budgets - done) }, (_, index) => done + index);
    await Promise.all(
      wave.map((index) =>
        outcomeOf(store, insertBudgetCommit(sampleBudget(index, { businessId, id: String(firstId + index) }))),
      ),
    );
  }
}

export async function createKey(service: BudgetService, businessId: string, name: string): Promise<string> {
  const created = await service.keys.create(
    { kind: "system", businessId },
    { name, scopes: ["READ_BUDGETS", "WRITE_BUDGETS"], rateLimitPerHour: HARDLY_A_LIMIT },
  );
  return created._unsafeUnwrap().key;
}

function removeFiles(path: string): void {
  for (const suffix of ["", "-wal", "-shm", ".json", "-limits", "-limits-wal", "-limits-shm"]) {
    rmSync(path + suffix, { force: true });
  }
}
