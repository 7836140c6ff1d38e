import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { runOn } from "./fresh-database.js";

/** The name of the database that {@link copyOfTemplate} copies, the same for all workers of a run. */
const TEMPLATE = "TEST_DATABASE_TEMPLATE";

/** Names the template of this run. @returns what removes it */
export function nameTemplate(): { remove(serverUrl: string): Promise<void> } {
  const name = `template_${process.pid}_${Date.now()}`;
  process.env[TEMPLATE] = name;
  return { remove: async (serverUrl) => void (await runOn(serverUrl, `DROP DATABASE IF EXISTS ${name}`)) };
}

/** The URL of a database of the same server. */
export function urlOf(name: string, serverUrl = process.env.TEST_DATABASE_URL ?? ""): string {
  return serverUrl.replace(/\/[^/?]*(?=\?|$)/, `/${name}`);
}

/** Creates a database with what another one has, to which nothing may be connected. */
export async function copyDatabase(name: string, origin: string): Promise<void> {
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${origin} STRATEGY FILE_COPY`);
}

export async function dropDatabase(name: string): Promise<void> {
  await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/**
 * Creates a database from one that `fill` has filled for the first worker that asks: a migration takes several times as
 * long as a copy.
 */
export async function copyOfTemplate(name: string, fill: (url: string) => Promise<void>): Promise<void> {
  const template = process.env[TEMPLATE] ?? "";
  if (await isCreated(template)) {
    await fill(urlOf(template));
    await onServer(`ALTER DATABASE ${template} ALLOW_CONNECTIONS false`); // filled, and nothing connects to it
  }
  const isFilled = `SELECT FROM pg_database WHERE datname = '${template}' AND NOT datallowconn`;
  while ((await onServer(isFilled)).length === 0) await setTimeout(50);
  await copyDatabase(name, template);
}

/** Whether this call has created the database; false = there is one. */
async function isCreated(name: string): Promise<boolean> {
  if ((await onServer(`SELECT FROM pg_database WHERE datname = '${name}'`)).length > 0) return false;
  try {
    await onServer(`CREATE DATABASE ${name}`);
    return true;
  } catch (error) {
    // Of two that create it at once, one meets the name, at the start or at the end.
    if (error instanceof pg.DatabaseError && ["42P04", "23505"].includes(error.code ?? "")) return false;
    throw error;
  }
}

function onServer(sql: string): Promise<readonly Record<string, unknown>[]> {
  return runOn(process.env.TEST_DATABASE_URL ?? "", sql);
}
